import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import javax.imageio.ImageIO;

/** Draws a red disc, writes it as PNG, reads it and tells what it sees. */
public final class Picture {

    private Picture() {
    }

    public static void main(String[] words) throws IOException {
        System.setProperty("java.awt.headless", "true");
        BufferedImage drawn = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = drawn.createGraphics();
        graphics.setColor(Color.RED);
        graphics.fillOval(8, 8, 48, 48);
        graphics.dispose();
        File file = new File(words[0]);
        ImageIO.write(drawn, "png", file);
        BufferedImage read = ImageIO.read(file);
        System.out.printf("%d x %d, %06x in the middle, %06x in the corner%n", read.getWidth(), read.getHeight(),
                read.getRGB(32, 32) & 0xffffff, read.getRGB(0, 0) & 0xffffff);
    }
}
