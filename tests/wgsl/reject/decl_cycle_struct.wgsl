//! error line 2 E0201
struct A { b: B }
struct B { a: array<A, 2> }
