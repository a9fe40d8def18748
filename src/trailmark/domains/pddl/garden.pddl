; Garden: beds are dug with a spade, sown with the right plant and watered to the right amount from a can
; that is filled at a well. A gardener holds one tool at a time. A bed that is sown or watered wrongly stays so.
(define (domain garden)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    spot tool plant amount gardener - object
    bed - spot
    spade can - tool)

  (:predicates
    (trail ?from - spot ?to - spot)
    (shed ?spot - spot)
    (well ?spot - spot)
    (a-bit-more ?less - amount ?more - amount)
    (brim ?amount - amount)
    (stands-at ?gardener - gardener ?spot - spot)
    (lies-at ?tool - tool ?spot - spot)
    (holds ?gardener - gardener ?tool - tool)
    (hands-free ?gardener - gardener)
    (has-seeds ?gardener - gardener ?plant - plant)
    (pocket-empty ?gardener - gardener)
    (overgrown ?bed - bed)
    (dug ?bed - bed)
    (sown ?bed - bed ?plant - plant)
    (wet ?bed - bed ?amount - amount)
    (filled ?can - can ?amount - amount))

  (:action walk
    :parameters (?gardener - gardener ?from - spot ?to - spot)
    :precondition (and
      (trail ?from ?to)
      (stands-at ?gardener ?from))
    :effect (and
      (stands-at ?gardener ?to)
      (not (stands-at ?gardener ?from))))

  (:action take-up
    :parameters (?gardener - gardener ?tool - tool ?spot - spot)
    :precondition (and
      (stands-at ?gardener ?spot)
      (lies-at ?tool ?spot)
      (hands-free ?gardener))
    :effect (and
      (holds ?gardener ?tool)
      (not (lies-at ?tool ?spot))
      (not (hands-free ?gardener))))

  (:action leave-there
    :parameters (?gardener - gardener ?tool - tool ?spot - spot)
    :precondition (and
      (stands-at ?gardener ?spot)
      (holds ?gardener ?tool))
    :effect (and
      (lies-at ?tool ?spot)
      (hands-free ?gardener)
      (not (holds ?gardener ?tool))))

  (:action dig
    :parameters (?gardener - gardener ?spade - spade ?bed - bed)
    :precondition (and
      (stands-at ?gardener ?bed)
      (holds ?gardener ?spade)
      (overgrown ?bed))
    :effect (and
      (dug ?bed)
      (not (overgrown ?bed))))

  (:action fetch-seeds
    :parameters (?gardener - gardener ?plant - plant ?spot - spot)
    :precondition (and
      (shed ?spot)
      (stands-at ?gardener ?spot)
      (pocket-empty ?gardener))
    :effect (and
      (has-seeds ?gardener ?plant)
      (not (pocket-empty ?gardener))))

  (:action return-seeds
    :parameters (?gardener - gardener ?plant - plant ?spot - spot)
    :precondition (and
      (shed ?spot)
      (stands-at ?gardener ?spot)
      (has-seeds ?gardener ?plant))
    :effect (and
      (pocket-empty ?gardener)
      (not (has-seeds ?gardener ?plant))))

  (:action sow
    :parameters (?gardener - gardener ?plant - plant ?bed - bed)
    :precondition (and
      (stands-at ?gardener ?bed)
      (has-seeds ?gardener ?plant)
      (dug ?bed))
    :effect (and
      (sown ?bed ?plant)
      (pocket-empty ?gardener)
      (not (has-seeds ?gardener ?plant))
      (not (dug ?bed))))

  (:action fill
    :parameters (?gardener - gardener ?can - can ?spot - spot ?old - amount ?new - amount)
    :precondition (and
      (well ?spot)
      (brim ?new)
      (stands-at ?gardener ?spot)
      (holds ?gardener ?can)
      (filled ?can ?old)
      (not (brim ?old)))
    :effect (and
      (filled ?can ?new)
      (not (filled ?can ?old))))

  (:action water
    :parameters
      (?gardener - gardener ?can - can ?bed - bed ?plant - plant
       ?more - amount ?less - amount ?dry - amount ?moist - amount)
    :precondition (and
      (stands-at ?gardener ?bed)
      (holds ?gardener ?can)
      (sown ?bed ?plant)
      (filled ?can ?more)
      (a-bit-more ?less ?more)
      (wet ?bed ?dry)
      (a-bit-more ?dry ?moist))
    :effect (and
      (filled ?can ?less)
      (wet ?bed ?moist)
      (not (filled ?can ?more))
      (not (wet ?bed ?dry)))))
