//! The six kinds of launch and the loop over them, with processes whose lives are scripted: what
//! each makes of every way to fail.

mod answers;
mod company;
mod comparing;
mod dissecting;
mod duet;
mod launching;
mod scout;
mod training;
mod turns;
