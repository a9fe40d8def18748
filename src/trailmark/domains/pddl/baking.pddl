; Baking: cakes need an egg and flour, souffles an egg alone; a pan is dirty after use.
; An oven is emptied in the end, so ovenisempty stands beside ovenisfull for a positive goal.
(define (domain baking)
  (:requirements :strips :typing :negative-preconditions)
  (:types soap oven pan ingredient)

  (:predicates
    (isegg ?egg - ingredient)
    (isflour ?flour - ingredient)
    (hypothetical ?dish - ingredient)
    (iscake ?dish - ingredient)
    (issouffle ?dish - ingredient)
    (inpan ?what - ingredient ?pan - pan)
    (panhasegg ?pan - pan)
    (panhasflour ?pan - pan)
    (panisclean ?pan - pan)
    (ismixed ?pan - pan)
    (paninoven ?pan - pan)
    (inoven ?pan - pan ?oven - oven)
    (ovenisempty ?oven - oven)
    (ovenisfull ?oven - oven)
    (soapconsumed ?soap - soap))

  (:action putegginpan
    :parameters (?egg - ingredient ?pan - pan)
    :precondition (and
      (isegg ?egg)
      (panisclean ?pan)
      (not (panhasegg ?pan))
      (not (ismixed ?pan))
      (not (paninoven ?pan)))
    :effect (and
      (inpan ?egg ?pan)
      (panhasegg ?pan)))

  (:action putflourinpan
    :parameters (?flour - ingredient ?pan - pan)
    :precondition (and
      (isflour ?flour)
      (panisclean ?pan)
      (not (panhasflour ?pan))
      (not (ismixed ?pan))
      (not (paninoven ?pan)))
    :effect (and
      (inpan ?flour ?pan)
      (panhasflour ?pan)))

  (:action mix
    :parameters (?egg - ingredient ?flour - ingredient ?pan - pan)
    :precondition (and
      (isegg ?egg)
      (isflour ?flour)
      (inpan ?egg ?pan)
      (inpan ?flour ?pan)
      (not (paninoven ?pan)))
    :effect (and
      (ismixed ?pan)
      (not (isegg ?egg))
      (not (isflour ?flour))
      (not (inpan ?egg ?pan))
      (not (inpan ?flour ?pan))
      (not (panhasegg ?pan))
      (not (panhasflour ?pan))))

  (:action putpaninoven
    :parameters (?pan - pan ?oven - oven)
    :precondition (and
      (ovenisempty ?oven)
      (not (paninoven ?pan)))
    :effect (and
      (inoven ?pan ?oven)
      (paninoven ?pan)
      (ovenisfull ?oven)
      (not (ovenisempty ?oven))))

  (:action removepanfromoven
    :parameters (?pan - pan ?oven - oven)
    :precondition (inoven ?pan ?oven)
    :effect (and
      (ovenisempty ?oven)
      (not (ovenisfull ?oven))
      (not (inoven ?pan ?oven))
      (not (paninoven ?pan))))

  (:action bakecake
    :parameters (?oven - oven ?pan - pan ?dish - ingredient)
    :precondition (and
      (hypothetical ?dish)
      (inoven ?pan ?oven)
      (ismixed ?pan))
    :effect (and
      (iscake ?dish)
      (not (hypothetical ?dish))
      (not (ismixed ?pan))
      (not (panisclean ?pan))))

  (:action bakesouffle
    :parameters (?oven - oven ?egg - ingredient ?pan - pan ?dish - ingredient)
    :precondition (and
      (hypothetical ?dish)
      (inoven ?pan ?oven)
      (isegg ?egg)
      (inpan ?egg ?pan)
      (not (panhasflour ?pan)))
    :effect (and
      (issouffle ?dish)
      (not (hypothetical ?dish))
      (not (isegg ?egg))
      (not (inpan ?egg ?pan))
      (not (panhasegg ?pan))
      (not (panisclean ?pan))))

  (:action cleanpan
    :parameters (?pan - pan ?soap - soap)
    :precondition (and
      (not (paninoven ?pan))
      (not (soapconsumed ?soap)))
    :effect (and
      (panisclean ?pan)
      (soapconsumed ?soap))))
