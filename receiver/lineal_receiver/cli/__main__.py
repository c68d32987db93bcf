"""`python -m lineal_receiver.cli`, the same as `lineal`."""

import sys

from lineal_receiver.cli.main import main

sys.exit(main())
