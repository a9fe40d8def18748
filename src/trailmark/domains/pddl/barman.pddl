; Barman: a barman with two hands fills shots from dispensers and mixes cocktails in a shaker.
; A cocktail has two ingredients; a shaker holds two shots, so it must be emptied and cleaned between.
(define (domain barman)
  (:requirements :strips :typing)
  (:types
    container dispenser beverage level hand - object
    shaker shot - container
    cocktail ingredient - beverage)

  (:predicates
    (dispenses ?dispenser - dispenser ?ingredient - ingredient)
    (cocktail-part1 ?cocktail - cocktail ?ingredient - ingredient)
    (cocktail-part2 ?cocktail - cocktail ?ingredient - ingredient)
    (next ?less - level ?more - level)
    (ontable ?container - container)
    (handempty ?hand - hand)
    (holding ?hand - hand ?container - container)
    (clean ?container - container)
    (empty ?container - container)
    (contains ?container - container ?beverage - beverage)
    (used ?container - container ?beverage - beverage)
    (shaker-empty-level ?shaker - shaker ?level - level)
    (shaker-level ?shaker - shaker ?level - level)
    (unshaked ?shaker - shaker)
    (shaked ?shaker - shaker))

  (:action grasp
    :parameters (?hand - hand ?container - container)
    :precondition (and
      (handempty ?hand)
      (ontable ?container))
    :effect (and
      (holding ?hand ?container)
      (not (handempty ?hand))
      (not (ontable ?container))))

  (:action leave
    :parameters (?hand - hand ?container - container)
    :precondition (holding ?hand ?container)
    :effect (and
      (ontable ?container)
      (handempty ?hand)
      (not (holding ?hand ?container))))

  (:action fill-shot
    :parameters (?shot - shot ?ingredient - ingredient ?hand - hand ?free - hand ?dispenser - dispenser)
    :precondition (and
      (dispenses ?dispenser ?ingredient)
      (holding ?hand ?shot)
      (handempty ?free)
      (clean ?shot)
      (empty ?shot))
    :effect (and
      (contains ?shot ?ingredient)
      (used ?shot ?ingredient)
      (not (clean ?shot))
      (not (empty ?shot))))

  (:action refill-shot
    :parameters (?shot - shot ?ingredient - ingredient ?hand - hand ?free - hand ?dispenser - dispenser)
    :precondition (and
      (dispenses ?dispenser ?ingredient)
      (holding ?hand ?shot)
      (handempty ?free)
      (used ?shot ?ingredient)
      (empty ?shot))
    :effect (and
      (contains ?shot ?ingredient)
      (not (empty ?shot))))

  (:action empty-shot
    :parameters (?hand - hand ?shot - shot ?beverage - beverage)
    :precondition (and
      (holding ?hand ?shot)
      (contains ?shot ?beverage))
    :effect (and
      (empty ?shot)
      (not (contains ?shot ?beverage))))

  (:action clean-shot
    :parameters (?shot - shot ?beverage - beverage ?hand - hand ?free - hand)
    :precondition (and
      (holding ?hand ?shot)
      (handempty ?free)
      (used ?shot ?beverage)
      (empty ?shot))
    :effect (and
      (clean ?shot)
      (not (used ?shot ?beverage))))

  (:action pour-shot-to-clean-shaker
    :parameters (?shot - shot ?ingredient - ingredient ?shaker - shaker ?hand - hand
                 ?level - level ?after - level)
    :precondition (and
      (holding ?hand ?shot)
      (contains ?shot ?ingredient)
      (clean ?shaker)
      (empty ?shaker)
      (shaker-level ?shaker ?level)
      (next ?level ?after))
    :effect (and
      (contains ?shaker ?ingredient)
      (unshaked ?shaker)
      (shaker-level ?shaker ?after)
      (empty ?shot)
      (not (contains ?shot ?ingredient))
      (not (clean ?shaker))
      (not (empty ?shaker))
      (not (shaker-level ?shaker ?level))))

  (:action pour-shot-to-used-shaker
    :parameters (?shot - shot ?ingredient - ingredient ?shaker - shaker ?hand - hand
                 ?level - level ?after - level)
    :precondition (and
      (holding ?hand ?shot)
      (contains ?shot ?ingredient)
      (unshaked ?shaker)
      (shaker-level ?shaker ?level)
      (next ?level ?after))
    :effect (and
      (contains ?shaker ?ingredient)
      (shaker-level ?shaker ?after)
      (empty ?shot)
      (not (contains ?shot ?ingredient))
      (not (shaker-level ?shaker ?level))))

  (:action shake
    :parameters (?cocktail - cocktail ?first - ingredient ?second - ingredient ?shaker - shaker
                 ?hand - hand ?free - hand)
    :precondition (and
      (cocktail-part1 ?cocktail ?first)
      (cocktail-part2 ?cocktail ?second)
      (holding ?hand ?shaker)
      (handempty ?free)
      (contains ?shaker ?first)
      (contains ?shaker ?second)
      (unshaked ?shaker))
    :effect (and
      (contains ?shaker ?cocktail)
      (shaked ?shaker)
      (not (contains ?shaker ?first))
      (not (contains ?shaker ?second))
      (not (unshaked ?shaker))))

  (:action pour-shaker-to-shot
    :parameters (?beverage - beverage ?shot - shot ?hand - hand ?shaker - shaker
                 ?level - level ?after - level)
    :precondition (and
      (holding ?hand ?shaker)
      (contains ?shaker ?beverage)
      (shaked ?shaker)
      (shaker-level ?shaker ?level)
      (next ?after ?level)
      (clean ?shot)
      (empty ?shot))
    :effect (and
      (contains ?shot ?beverage)
      (used ?shot ?beverage)
      (shaker-level ?shaker ?after)
      (not (clean ?shot))
      (not (empty ?shot))
      (not (shaker-level ?shaker ?level))))

  (:action empty-shaker
    :parameters (?hand - hand ?shaker - shaker ?cocktail - cocktail ?level - level ?bottom - level)
    :precondition (and
      (holding ?hand ?shaker)
      (contains ?shaker ?cocktail)
      (shaked ?shaker)
      (shaker-level ?shaker ?level)
      (shaker-empty-level ?shaker ?bottom))
    :effect (and
      (empty ?shaker)
      (shaker-level ?shaker ?bottom)
      (not (contains ?shaker ?cocktail))
      (not (shaked ?shaker))
      (not (shaker-level ?shaker ?level))))

  (:action clean-shaker
    :parameters (?hand - hand ?free - hand ?shaker - shaker)
    :precondition (and
      (holding ?hand ?shaker)
      (handempty ?free)
      (empty ?shaker))
    :effect (clean ?shaker)))
