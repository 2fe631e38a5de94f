import "../runs/long_replies_test.ts";
