// The service shop.v1.Orders of the pages: as a file, and as descriptors (descriptor.proto), which
// servers tell of themselves and protoc writes.

export const NAME = "shop.v1.Orders";

export const PROTO = `syntax = "proto3";
package shop.v1;

message Order {
  string id = 1;
}

service Orders {
  rpc Get(Order) returns (Order);
  rpc Place(Order) returns (Order);
}
`;

/** A field of protobuf: a number below 128, or text, bytes or a message, shorter than 16 KiB. */
export function field(number, value) {
  if (typeof value === "number") return Buffer.from([number << 3, value]);
  const body = Buffer.from(value);
  const length = body.length < 128 ? [body.length] : [(body.length & 127) | 128, body.length >> 7];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), body]);
}

const message = (...fields) => Buffer.concat(fields);

const OPTIONAL = 1;
const STRING = 9;
const ORDER = ".shop.v1.Order";

const id = message(field(1, "id"), field(3, 1), field(4, OPTIONAL), field(5, STRING), field(10, "id"));
const order = message(field(1, "Order"), field(2, id));
const method = (name) => message(field(1, name), field(2, ORDER), field(3, ORDER));
const orders = message(field(1, "Orders"), field(2, method("Get")), field(2, method("Place")));

/** A FileDescriptorProto. */
export const FILE = message(
  field(1, "orders.proto"),
  field(2, "shop.v1"),
  field(4, order),
  field(6, orders),
  field(12, "proto3"),
);

/** A FileDescriptorSet. */
export const DESCRIPTORS = field(1, FILE);
