"""`python -m trailmark`."""

import sys

from trailmark.cli.main import main

sys.exit(main())
