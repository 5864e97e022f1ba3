package ch.helvamed.stock.sandbox;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

class SandboxHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final String[] MEDICINES = {"Amlovas 5 mg", "Ibusan 400 mg", "Torasol 10 mg", "Metocur 850 mg"};

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        String uri = request.uri();
        String code = uri.substring(uri.lastIndexOf('/') + 1);
        int number = Math.floorMod(code.hashCode(), 1000);
        if (uri.startsWith("/prices/") && code.startsWith("7680")) {
            answer(context, HttpResponseStatus.OK, price(code, number));
        } else if (uri.startsWith("/stock/")) {
            answer(context, HttpResponseStatus.OK, stock(code, number));
        } else {
            answer(context, HttpResponseStatus.NOT_FOUND, "{}");
        }
    }

    private static String price(String code, int number) {
        return "{\"code\":\"" + code + "\",\"name\":\"" + MEDICINES[number % MEDICINES.length]
                + "\",\"rappen\":" + (850 + number * 3) + ",\"prescription\":" + (number % 2 == 0)
                + ",\"deductiblePercent\":10,\"list\":\"A\"}";
    }

    private static String stock(String code, int number) {
        StringBuilder json = new StringBuilder("{\"code\":\"").append(code).append("\",\"shelves\":[");
        for (int town = 0; town < 4; town++) {
            for (int i = 0; i < 6; i++) {
                json.append(town + i == 0 ? "" : ",")
                        .append("{\"pharmacy\":\"P").append(100 + town * 10 + i)
                        .append("\",\"packs\":").append((number + town * 3 + i * 5) % 7)
                        .append(",\"lot\":\"L").append(number * 31 + i)
                        .append("\",\"expires\":\"2027-").append(10 + (number + i) % 3).append("\"}");
            }
        }
        return json.append("]}").toString();
    }

    private static void answer(ChannelHandlerContext context, HttpResponseStatus status, String json) {
        ByteBuf body = Unpooled.copiedBuffer(json, StandardCharsets.UTF_8);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json")
                .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        context.writeAndFlush(response);
    }
}
