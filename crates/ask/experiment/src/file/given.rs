//! What keys that belong together say of a request.

/// Of a call of gRPC, or of a message of a WebSocket.
pub(super) enum Given<T> {
    /// Nothing: the request is none.
    Nothing,
    /// It is one, and cannot be made; why has been said.
    Wrong,
    /// It is this one.
    Made(T),
}
