; Childsnack: make sandwiches in the kitchen, carry them on trays, serve every child at its table.
; A child allergic to gluten needs a sandwich whose bread and content are both free of it.
(define (domain child-snack)
  (:requirements :strips :typing)
  (:types place tray sandwich bread-portion content-portion child)
  (:constants kitchen - place)

  (:predicates
    (at_kitchen_bread ?bread - bread-portion)
    (at_kitchen_content ?content - content-portion)
    (no_gluten_bread ?bread - bread-portion)
    (no_gluten_content ?content - content-portion)
    (notexist ?sandwich - sandwich)
    (at_kitchen_sandwich ?sandwich - sandwich)
    (no_gluten_sandwich ?sandwich - sandwich)
    (ontray ?sandwich - sandwich ?tray - tray)
    (at ?tray - tray ?place - place)
    (allergic_gluten ?child - child)
    (not_allergic_gluten ?child - child)
    (waiting ?child - child ?place - place)
    (served ?child - child))

  (:action make_sandwich
    :parameters (?sandwich - sandwich ?bread - bread-portion ?content - content-portion)
    :precondition (and
      (notexist ?sandwich)
      (at_kitchen_bread ?bread)
      (at_kitchen_content ?content))
    :effect (and
      (at_kitchen_sandwich ?sandwich)
      (not (notexist ?sandwich))
      (not (at_kitchen_bread ?bread))
      (not (at_kitchen_content ?content))))

  (:action make_sandwich_no_gluten
    :parameters (?sandwich - sandwich ?bread - bread-portion ?content - content-portion)
    :precondition (and
      (notexist ?sandwich)
      (at_kitchen_bread ?bread)
      (at_kitchen_content ?content)
      (no_gluten_bread ?bread)
      (no_gluten_content ?content))
    :effect (and
      (at_kitchen_sandwich ?sandwich)
      (no_gluten_sandwich ?sandwich)
      (not (notexist ?sandwich))
      (not (at_kitchen_bread ?bread))
      (not (at_kitchen_content ?content))))

  (:action put_on_tray
    :parameters (?sandwich - sandwich ?tray - tray)
    :precondition (and
      (at_kitchen_sandwich ?sandwich)
      (at ?tray kitchen))
    :effect (and
      (ontray ?sandwich ?tray)
      (not (at_kitchen_sandwich ?sandwich))))

  (:action move_tray
    :parameters (?tray - tray ?place - place ?other - place)
    :precondition (at ?tray ?place)
    :effect (and
      (not (at ?tray ?place))
      (at ?tray ?other)))

  (:action serve_sandwich
    :parameters (?sandwich - sandwich ?child - child ?tray - tray ?place - place)
    :precondition (and
      (not_allergic_gluten ?child)
      (waiting ?child ?place)
      (at ?tray ?place)
      (ontray ?sandwich ?tray))
    :effect (and
      (served ?child)
      (not (ontray ?sandwich ?tray))))

  (:action serve_sandwich_no_gluten
    :parameters (?sandwich - sandwich ?child - child ?tray - tray ?place - place)
    :precondition (and
      (allergic_gluten ?child)
      (waiting ?child ?place)
      (at ?tray ?place)
      (ontray ?sandwich ?tray)
      (no_gluten_sandwich ?sandwich))
    :effect (and
      (served ?child)
      (not (ontray ?sandwich ?tray)))))
