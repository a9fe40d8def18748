; TPP: trucks buy goods level by level at markets and store them at depots.
; (next ?more ?less) reads: level ?more is one unit above level ?less.
(define (domain tpp-propositional)
  (:requirements :strips :typing)
  (:types
    level place locatable - object
    market depot - place
    goods truck - locatable)

  (:predicates
    (connected ?here - place ?there - place)
    (next ?more - level ?less - level)
    (at ?truck - truck ?here - place)
    (on-sale ?goods - goods ?market - market ?amount - level)
    (ready-to-load ?goods - goods ?market - market ?amount - level)
    (loaded ?goods - goods ?truck - truck ?amount - level)
    (stored ?goods - goods ?amount - level))

  (:action drive
    :parameters (?truck - truck ?here - place ?there - place)
    :precondition (and
      (connected ?here ?there)
      (at ?truck ?here))
    :effect (and
      (at ?truck ?there)
      (not (at ?truck ?here))))

  (:action buy
    :parameters (?truck - truck ?goods - goods ?market - market
                 ?sale-after - level ?sale - level ?ready - level ?ready-after - level)
    :precondition (and
      (at ?truck ?market)
      (on-sale ?goods ?market ?sale)
      (next ?sale ?sale-after)
      (ready-to-load ?goods ?market ?ready)
      (next ?ready-after ?ready))
    :effect (and
      (on-sale ?goods ?market ?sale-after)
      (ready-to-load ?goods ?market ?ready-after)
      (not (on-sale ?goods ?market ?sale))
      (not (ready-to-load ?goods ?market ?ready))))

  (:action load
    :parameters (?goods - goods ?truck - truck ?market - market
                 ?ready-after - level ?ready - level ?load - level ?load-after - level)
    :precondition (and
      (at ?truck ?market)
      (ready-to-load ?goods ?market ?ready)
      (next ?ready ?ready-after)
      (loaded ?goods ?truck ?load)
      (next ?load-after ?load))
    :effect (and
      (ready-to-load ?goods ?market ?ready-after)
      (loaded ?goods ?truck ?load-after)
      (not (ready-to-load ?goods ?market ?ready))
      (not (loaded ?goods ?truck ?load))))

  (:action unload
    :parameters (?goods - goods ?truck - truck ?depot - depot
                 ?load-after - level ?load - level ?store - level ?store-after - level)
    :precondition (and
      (at ?truck ?depot)
      (loaded ?goods ?truck ?load)
      (next ?load ?load-after)
      (stored ?goods ?store)
      (next ?store-after ?store))
    :effect (and
      (loaded ?goods ?truck ?load-after)
      (stored ?goods ?store-after)
      (not (loaded ?goods ?truck ?load))
      (not (stored ?goods ?store)))))
