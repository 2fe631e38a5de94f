import "../reports/long_replies_test.ts";
