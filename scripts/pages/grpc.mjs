// A service of gRPC that the commands of the pages call: grpc.mjs PORT. Each call is answered with
// its own messages; asked for its message types (reflection, v1), it tells them.
import { createServer } from "node:http2";
import { FILE, NAME, field } from "./orders.mjs";

/** The messages of a body, without the five bytes before each. */
function* messages(body) {
  for (let at = 0; at + 5 <= body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    yield body.subarray(at + 5, end);
    at = end;
  }
}

function framed(message) {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Of ServerReflectionRequest, field 7 asks for the services, and all others for a file. */
function told(question) {
  const asksForServices = question[0] >> 3 === 7;
  return asksForServices ? field(6, field(1, field(1, NAME))) : field(4, field(1, FILE));
}

function answer(path, body) {
  if (!path.startsWith("/grpc.reflection.v1.")) return body;
  return Buffer.concat([...messages(body)].map((question) => framed(told(question))));
}

const server = createServer();
server.on("stream", (stream, headers) => {
  const parts = [];
  stream.on("error", () => stream.destroy());
  stream.on("data", (part) => parts.push(part));
  stream.on("end", () => {
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.end(answer(headers[":path"], Buffer.concat(parts)));
  });
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log("listening"));
