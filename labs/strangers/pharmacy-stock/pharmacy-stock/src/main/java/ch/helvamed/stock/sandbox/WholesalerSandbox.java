package ch.helvamed.stock.sandbox;

import java.net.InetSocketAddress;
import java.net.URI;

import io.micronaut.context.annotation.Context;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands in for the wholesaler's API. */
@Context
public class WholesalerSandbox {

    private static final Logger LOG = LoggerFactory.getLogger(WholesalerSandbox.class);

    private final EventLoopGroup loops = new NioEventLoopGroup(1);
    private Channel channel;

    @PostConstruct
    void start() throws InterruptedException {
        channel = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        connection.pipeline().addLast(new HttpServerCodec(), new HttpServerKeepAliveHandler(),
                                new HttpObjectAggregator(64 * 1024), new SandboxHandler());
                    }
                })
                .bind("127.0.0.1", 0).sync().channel();
        LOG.info("wholesaler sandbox at {}", baseUri());
    }

    public URI baseUri() {
        return URI.create("http://127.0.0.1:" + ((InetSocketAddress) channel.localAddress()).getPort());
    }

    @PreDestroy
    void stop() {
        channel.close();
        loops.shutdownGracefully();
    }
}
