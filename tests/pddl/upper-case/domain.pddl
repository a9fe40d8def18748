(DEFINE (DOMAIN Hanoi-Small)
  (:REQUIREMENTS :STRIPS)
  (:PREDICATES (Clear ?X) (ON ?x ?Y) (Smaller ?x ?y))
  (:ACTION Move
    :PARAMETERS (?Disc ?From ?To)
    :PRECONDITION (AND (SMALLER ?to ?disc) (On ?disc ?from) (CLEAR ?disc) (clear ?to))
    :EFFECT (And (clear ?from) (on ?disc ?TO) (Not (on ?disc ?from)) (NOT (clear ?to)))))
