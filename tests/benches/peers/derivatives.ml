(* The paper's handlers for derivatives with the effects of OCaml 5, and the classical programs that
   need no continuation twice. Prints the name, the nanoseconds and the value of each workload. *)

open Effect
open Effect.Deep

let best work =
  let rec go n least value =
    if n = 0 then (least, value)
    else begin
      Gc.full_major ();
      let start = Sys.time () in
      let value = work () in
      go (n - 1) (Float.min least (Sys.time () -. start)) value
    end
  in
  go 3 infinity nan

let report name operations work =
  let seconds, value = best work in
  Printf.printf "%s\t%.3f\t%.17g\n%!" name (seconds *. 1e9 /. operations) value

(* --- smooth operations on some type --- *)

type nullary = Const of float
type unary = Negate | Recip
type binary = Plus | Times

module type SMOOTH = sig
  type x
  type _ Effect.t +=
    | Ap0 : nullary -> x Effect.t
    | Ap1 : unary * x -> x Effect.t
    | Ap2 : binary * x * x -> x Effect.t
end

module Smooth (T : sig type t end) : SMOOTH with type x = T.t = struct
  type x = T.t
  type _ Effect.t +=
    | Ap0 : nullary -> x Effect.t
    | Ap1 : unary * x -> x Effect.t
    | Ap2 : binary * x * x -> x Effect.t
end

module Operations (S : SMOOTH) = struct
  open S
  let c v = perform (Ap0 (Const v))
  let n x = perform (Ap1 (Negate, x))
  let p x y = perform (Ap2 (Plus, x, y))
  let t x y = perform (Ap2 (Times, x, y))
  let der1 u x =
    match u with
    | Negate -> c (-1.)
    | Recip -> let r = perform (Ap1 (Recip, x)) in n (t r r)
  let der2l b _ y = match b with Plus -> c 1. | Times -> y
  let der2r b x _ = match b with Plus -> c 1. | Times -> x

  let loop rounds x =
    let rec from rounds x =
      if rounds = 0 then x
      else from (rounds - 1) (perform (Ap1 (Recip, p (c 1.3) (t (c (-0.8)) x))))
    in
    from rounds x
end

module Floats = Smooth (struct type t = float end)

let value0 (Const v) = v
let value1 u x = match u with Negate -> -.x | Recip -> 1. /. x
let value2 b x y = match b with Plus -> x +. y | Times -> x *. y

let evaluate (type a) (f : unit -> a) : a =
  match_with f ()
    { retc = Fun.id;
      exnc = raise;
      effc = (fun (type b) (e : b Effect.t) ->
        match e with
        | Floats.Ap0 o -> Some (fun (k : (b, _) continuation) -> continue k (value0 o))
        | Floats.Ap1 (o, x) -> Some (fun k -> continue k (value1 o x))
        | Floats.Ap2 (o, x, y) -> Some (fun k -> continue k (value2 o x y))
        | _ -> None) }

(* --- forward --- *)

type 'x dual = { v : 'x; dv : 'x }

module Forward (S : SMOOTH) = struct
  module D = Smooth (struct type t = S.x dual end)
  module O = Operations (S)
  open O

  let diff f =
    match_with f ()
      { retc = Fun.id;
        exnc = raise;
        effc = (fun (type b) (e : b Effect.t) ->
          match e with
          | D.Ap0 o ->
            Some (fun (k : (b, _) continuation) ->
              let v = perform (S.Ap0 o) in
              continue k { v; dv = c 0. })
          | D.Ap1 (u, x) ->
            Some (fun k ->
              let v = perform (S.Ap1 (u, x.v)) in
              continue k { v; dv = t (der1 u x.v) x.dv })
          | D.Ap2 (b, x, y) ->
            Some (fun k ->
              let v = perform (S.Ap2 (b, x.v, y.v)) in
              let l = t (der2l b x.v y.v) x.dv in
              let r = t (der2r b x.v y.v) y.dv in
              continue k { v; dv = p l r })
          | _ -> None) }

  let d f x =
    let one = c 1. in
    (diff (fun () -> f { v = x; dv = one })).dv
end

(* --- reverse, and with checkpoints --- *)

type 'x prop = { fwd : 'x; deriv : 'x ref }

module Reverse (S : SMOOTH) = struct
  module P = Smooth (struct type t = S.x prop end)
  module O = Operations (S)
  open O

  type _ Effect.t += Checkpoint : (unit -> S.x prop) -> S.x prop Effect.t

  let clause (type b) (e : b Effect.t) : ((b, unit) continuation -> unit) option =
    match e with
    | P.Ap0 o ->
      Some (fun k ->
        let v = perform (S.Ap0 o) in
        continue k { fwd = v; deriv = ref (c 0.) })
    | P.Ap1 (u, x) ->
      Some (fun k ->
        let v = perform (S.Ap1 (u, x.fwd)) in
        let r = { fwd = v; deriv = ref (c 0.) } in
        continue k r;
        x.deriv := p !(x.deriv) (t (der1 u x.fwd) !(r.deriv)))
    | P.Ap2 (b, x, y) ->
      Some (fun k ->
        let v = perform (S.Ap2 (b, x.fwd, y.fwd)) in
        let r = { fwd = v; deriv = ref (c 0.) } in
        continue k r;
        x.deriv := p !(x.deriv) (t (der2l b x.fwd y.fwd) !(r.deriv));
        y.deriv := p !(y.deriv) (t (der2r b x.fwd y.fwd) !(r.deriv)))
    | _ -> None

  let reverse f = match_with f () { retc = Fun.id; exnc = raise; effc = clause }

  let grad f x =
    let z = { fwd = x; deriv = ref (c 0.) } in
    reverse (fun () ->
      let r = f z in
      r.deriv := 1.);
    !(z.deriv)

  let rec evaluatet s f =
    match_with f ()
      { retc = Fun.id;
        exnc = raise;
        effc = (fun (type b) (e : b Effect.t) ->
          match e with
          | Checkpoint p ->
            Some (fun (k : (b, _) continuation) ->
              let res = evaluatet s p in
              continue k { fwd = res.fwd; deriv = s })
          | P.Ap0 o -> Some (fun k -> continue k { fwd = perform (S.Ap0 o); deriv = s })
          | P.Ap1 (u, x) ->
            Some (fun k -> continue k { fwd = perform (S.Ap1 (u, x.fwd)); deriv = s })
          | P.Ap2 (b, x, y) ->
            Some (fun k -> continue k { fwd = perform (S.Ap2 (b, x.fwd, y.fwd)); deriv = s })
          | _ -> None) }

  let rec reversec f =
    match_with f ()
      { retc = Fun.id;
        exnc = raise;
        effc = (fun (type b) (e : b Effect.t) ->
          match e with
          | Checkpoint p ->
            Some (fun (k : (b, _) continuation) ->
              let s = ref (c 0.) in
              let res = evaluatet s p in
              let r = { fwd = res.fwd; deriv = ref (c 0.) } in
              continue k r;
              reversec (fun () -> (p ()).deriv := !(r.deriv)))
          | e -> clause e) }

  let gradc f x =
    let z = { fwd = x; deriv = ref (c 0.) } in
    reversec (fun () -> (f z).deriv := 1.);
    !(z.deriv)
end

module F = Operations (Floats)
module Once = Forward (Floats)
module OnceOps = Operations (Once.D)
module Twice = Forward (Once.D)
module TwiceOps = Operations (Twice.D)
module Back = Reverse (Floats)
module BackOps = Operations (Back.P)

let derivative name operations mode =
  let rounds = operations / 3 in
  report name (float_of_int (3 * rounds)) (fun () -> mode rounds)

let plain rounds = evaluate (fun () -> F.loop rounds 0.4)
let forward rounds = evaluate (fun () -> Once.d (fun x -> OnceOps.loop rounds x) 0.4)

let twice rounds =
  evaluate (fun () -> Once.d (fun x -> Twice.d (fun y -> TwiceOps.loop rounds y) x) 0.4)

let reverse rounds = evaluate (fun () -> Back.grad (fun x -> BackOps.loop rounds x) 0.4)

let checkpointed rounds =
  let stretches = int_of_float (sqrt (float_of_int (3 * rounds))) in
  let each = rounds / stretches in
  let rec chain n x =
    if n = 0 then x
    else chain (n - 1) (perform (Back.Checkpoint (fun () -> BackOps.loop each x)))
  in
  evaluate (fun () -> Back.gradc (fun x -> chain stretches x) 0.4)

(* --- the classical programs --- *)

type _ Effect.t += Get : int Effect.t | Put : int -> unit Effect.t

let countdown n =
  let rec go () = match perform Get with 0 -> 0 | i -> perform (Put (i - 1)); go () in
  let run =
    match_with go ()
      { retc = (fun x _ -> x);
        exnc = raise;
        effc = (fun (type b) (e : b Effect.t) ->
          match e with
          | Get -> Some (fun (k : (b, int -> int) continuation) (s : int) -> (continue k s : int -> int) s)
          | Put t -> Some (fun k (_ : int) -> (continue k () : int -> int) t)
          | _ -> None) }
  in
  run n

type _ Effect.t += Emit : int -> unit Effect.t
type tree = Leaf | Node of tree * int * tree
type stream = Done | More of int * (unit -> stream)

let generator n =
  let rec tree n = if n = 0 then Leaf else let t = tree (n - 1) in Node (t, n, t) in
  let rec walk = function
    | Leaf -> ()
    | Node (l, x, r) -> walk l; perform (Emit x); walk r
  in
  let stream f =
    match_with f ()
      { retc = (fun () -> Done);
        exnc = raise;
        effc = (fun (type b) (e : b Effect.t) ->
          match e with
          | Emit x -> Some (fun (k : (b, _) continuation) -> More (x, fun () -> continue k ()))
          | _ -> None) }
  in
  let rec total s = function Done -> s | More (x, k) -> total (s + x) (k ()) in
  let t = tree n in
  total 0 (stream (fun () -> walk t))

type _ Effect.t += Raise : int -> 'a Effect.t

let exceptions n =
  let rec dig n = if n = 0 then perform (Raise 1) else 1 + dig (n - 1) in
  let handle f =
    match_with f ()
      { retc = Fun.id;
        exnc = raise;
        effc = (fun (type b) (e : b Effect.t) ->
          match e with Raise i -> Some (fun (_ : (b, _) continuation) -> i) | _ -> None) }
  in
  let rec rounds n sum =
    if n = 0 then sum else rounds (n - 1) (sum + handle (fun () -> dig 1000))
  in
  rounds n 0

let iterator n =
  let rec count i = if i <= n then begin perform (Emit i); count (i + 1) end in
  let run =
    match_with count 1
      { retc = (fun () s -> s);
        exnc = raise;
        effc = (fun (type b) (e : b Effect.t) ->
          match e with
          | Emit x -> Some (fun (k : (b, _) continuation) s -> continue k () (s + x))
          | _ -> None) }
  in
  run 0

type _ Effect.t += Pause : unit Effect.t | Fork : (unit -> unit) -> unit Effect.t

let scheduler n =
  let steps = ref 0 in
  let queue = Queue.create () in
  let next () = match Queue.take_opt queue with None -> () | Some t -> incr steps; t () in
  let rec schedule t =
    match_with t ()
      { retc = (fun () -> next ());
        exnc = raise;
        effc = (fun (type b) (e : b Effect.t) ->
          match e with
          | Pause ->
            Some (fun (k : (b, _) continuation) -> Queue.add (fun () -> continue k ()) queue; next ())
          | Fork t -> Some (fun k -> Queue.add (fun () -> schedule t) queue; continue k ())
          | _ -> None) }
  in
  let rec worker n = if n > 0 then begin perform Pause; worker (n - 1) end in
  schedule (fun () -> for _ = 1 to 100 do perform (Fork (fun () -> worker n)) done);
  !steps

let integers n =
  let rec go n x = if n = 0 then x else go (n - 1) (x + n) in
  go n 0

let classical name work = report name 1. (fun () -> float_of_int (work ()))

let () =
  derivative "plain 30k" 30_000 plain;
  derivative "forward 30k" 30_000 forward;
  derivative "reverse 3k" 3_000 reverse;
  derivative "reverse 30k" 30_000 reverse;
  derivative "reverse 300k" 300_000 reverse;
  derivative "reverse 1M" 1_000_000 reverse;
  derivative "twice 30k" 30_000 twice;
  derivative "checkpointed 30k" 30_000 checkpointed;
  report "integers" 3e6 (fun () -> float_of_int (integers 3_000_000));
  classical "countdown" (fun () -> countdown 1_000_000);
  classical "generator" (fun () -> generator 16);
  classical "exceptions" (fun () -> exceptions 1_000);
  classical "iterator" (fun () -> iterator 1_000_000);
  classical "scheduler" (fun () -> scheduler 3_000)
