// What the commands of the pages send to: service.mjs PORT. It answers any request, streams events
// at /prices, and talks over WebSockets.
import { createHash } from "node:crypto";
import { createServer } from "node:http";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // RFC 6455, 1.3

/** A text message of a server, which is not masked, and shorter than 64 KiB. */
function frame(text) {
  const body = Buffer.from(text);
  const head = body.length < 126 ? [0x81, body.length] : [0x81, 126, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from(head), body]);
}

/** The first message of a client, unmasked, and what is left; null where it is not whole. */
function message(bytes) {
  if (bytes.length < 6) return null;
  const short = bytes[1] & 127;
  const at = short === 126 ? 4 : 2;
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  if (bytes.length < at + 4 + length) return null;
  const mask = bytes.subarray(at, at + 4);
  const body = bytes.subarray(at + 4, at + 4 + length).map((byte, i) => byte ^ mask[i % 4]);
  return { closes: (bytes[0] & 15) === 8, text: body.toString(), rest: bytes.subarray(at + 4 + length) };
}

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    if (request.url === "/prices") {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const timer = setInterval(() => response.write('data: {"price": 7}\n\n'), 20);
      response.on("close", () => clearInterval(timer));
      return;
    }
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end('{"id": 1, "orders": []}');
  });
});

server.on("upgrade", (request, socket) => {
  const key = createHash("sha1").update(request.headers["sec-websocket-key"] + GUID).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
  );
  socket.on("error", () => socket.destroy());
  let bytes = Buffer.alloc(0);
  socket.on("data", (more) => {
    bytes = Buffer.concat([bytes, more]);
    for (let one = message(bytes); one !== null; one = message(bytes)) {
      bytes = one.rest;
      if (one.closes) return socket.end();
      const times = one.text.includes("subscribe") ? 10 : 1;
      for (let i = 0; i < times; i += 1) socket.write(frame(one.text));
    }
  });
});

server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log("listening"));
