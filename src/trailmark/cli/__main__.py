"""`python -m trailmark.cli`."""

import sys

from trailmark.cli.main import main

sys.exit(main())
