; Training instance t02 of the paper (appendix on altered plans).
(define (problem delivery-paper-t02)
  (:domain delivery)
  (:objects
    c-0-0 c-0-1 c-1-0 c-1-1 - cell
    p0 p1 - package
    t1 - truck)
  (:init
    (adjacent c-0-0 c-1-0)
    (adjacent c-0-0 c-0-1)
    (adjacent c-0-1 c-1-1)
    (adjacent c-0-1 c-0-0)
    (adjacent c-1-0 c-0-0)
    (adjacent c-1-0 c-1-1)
    (adjacent c-1-1 c-0-1)
    (adjacent c-1-1 c-1-0)
    (at t1 c-1-0)
    (empty t1)
    (at p0 c-1-1)
    (at p1 c-0-1))
  (:goal (and (at p0 c-0-0) (at p1 c-1-1))))
