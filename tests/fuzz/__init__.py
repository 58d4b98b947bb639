"""Many sessions made at random, and a judge that asks everything of each; see docs/reliability.md.

python -m tests.fuzz.run --count 2000 --seed 1
"""
