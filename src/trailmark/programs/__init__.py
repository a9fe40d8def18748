"""Programs: counters that are run down one after the other, as counter-first learning finds them."""
