; Warehouse: robots bring items to desks. Each step of a robot drains its battery by one unit, and only
; a station fills it again, to the brim. A robot with an empty battery is stuck for good.
(define (domain warehouse)
  (:requirements :strips :typing :negative-preconditions)
  (:types robot item spot charge - object)

  (:predicates
    (aisle ?from - spot ?to - spot)
    (station ?spot - spot)
    (one-less ?more - charge ?less - charge)
    (full ?charge - charge)
    (robot-in ?robot - robot ?spot - spot)
    (charged ?robot - robot ?charge - charge)
    (item-in ?item - item ?spot - spot)
    (carries ?robot - robot ?item - item)
    (unladen ?robot - robot))

  (:action roll
    :parameters (?robot - robot ?from - spot ?to - spot ?more - charge ?less - charge)
    :precondition (and
      (aisle ?from ?to)
      (robot-in ?robot ?from)
      (charged ?robot ?more)
      (one-less ?more ?less))
    :effect (and
      (robot-in ?robot ?to)
      (charged ?robot ?less)
      (not (robot-in ?robot ?from))
      (not (charged ?robot ?more))))

  (:action recharge
    :parameters (?robot - robot ?spot - spot ?old - charge ?new - charge)
    :precondition (and
      (station ?spot)
      (full ?new)
      (robot-in ?robot ?spot)
      (charged ?robot ?old)
      (not (full ?old)))
    :effect (and
      (charged ?robot ?new)
      (not (charged ?robot ?old))))

  (:action lift
    :parameters (?robot - robot ?item - item ?spot - spot)
    :precondition (and
      (robot-in ?robot ?spot)
      (item-in ?item ?spot)
      (unladen ?robot))
    :effect (and
      (carries ?robot ?item)
      (not (item-in ?item ?spot))
      (not (unladen ?robot))))

  (:action lay-down
    :parameters (?robot - robot ?item - item ?spot - spot)
    :precondition (and
      (robot-in ?robot ?spot)
      (carries ?robot ?item))
    :effect (and
      (item-in ?item ?spot)
      (unladen ?robot)
      (not (carries ?robot ?item)))))
