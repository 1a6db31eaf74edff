"""Render one contract as several tasks: other names, constants, shapes, faults and inputs, the same
behaviour.
"""
