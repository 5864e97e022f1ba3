//! What a group of keys that belong together says about a request.

/// A call of gRPC or a message of a WebSocket, if the request is one.
pub(super) enum Given<T> {
    /// Nothing: the request is none.
    Nothing,
    /// It is one, but it is wrong. The problem was already reported.
    Wrong,
    /// It is this one.
    Made(T),
}
