/** RULER's noise: five sentences that say nothing, on one line (niah.py and variable_tracking.py). */
export const NOISE_LINE = "The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.";
