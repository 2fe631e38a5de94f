import { equal, ok, throws } from "node:assert/strict";
import { Template } from "@huggingface/jinja";
import { chatTemplate } from "@/lib/models/mod.ts";
import { compileJinja } from "@/lib/models/jinja.ts";

const LOOPS = "{% for a in range(99999) %}".repeat(6) + "x" + "{% endfor %}".repeat(6);
const DOUBLE = (value: string): string =>
  `{% set ns = namespace(v=${value}) %}{% for i in range(60) %}{% set ns.v = ns.v + ns.v %}{% endfor %}{{ ns.v | length }}`;

Deno.test.each([
  ["loops in loops", LOOPS, /it must end within 200000 steps/],
  ["one long range", "{% for i in range(100000000) %}x{% endfor %}", /it must end within ranges of 200000 numbers/],
  ["a range that never ends", "{% for i in range(0, 9, 0) %}x{% endfor %}", /it must end within ranges/],
  ["a range of no numbers", "{% for i in range('a') %}x{% endfor %}", /it must end within ranges/],
  ["a text that doubles", DOUBLE("'ab'"), /it must end within 200000 steps/],
  ["a list that doubles", DOUBLE("[1, 2]"), /it must end within 200000 steps/],
  [
    "texts in long loops",
    `{% for i in range(99999) %}${"x".repeat(9999)}{% endfor %}`,
    /it must end within 200000 steps/,
  ],
  ["parentheses in parentheses", `{{ ${"(".repeat(39_000)} }}`, /must be a Jinja template/],
  ["raw blocks without ends", "{% raw %}".repeat(4_400), /must be a Jinja template/],
  ["more text than a template has", "x".repeat(40_001), /it must end within 40000 characters/],
  ["spaces in a tag", `{%${" ".repeat(39_000)}`, /must be a Jinja template/],
] as [string, string, RegExp][])("a template with %s is refused soon, without a stack trace", (_, source, wanted) => {
  const path = Deno.makeTempFileSync({ suffix: ".jinja" });
  try {
    Deno.writeTextFileSync(path, source);
    const startMs = performance.now();
    throws(() => chatTemplate(path), { name: "SyntaxError", message: wanted });
    ok(performance.now() - startMs < 8000);
  } finally {
    Deno.removeSync(path);
  }
});

Deno.test("compileJinja() renders as the library does within its bounds", () => {
  const source = [
    "{%- if messages[0]['role'] == 'system' %}{% set system = messages[0].content | trim %}{% endif -%}",
    "{% for message in messages %}{{ loop.index }}<|{{ message.role }}|>{{ message['content'] | tojson }}",
    "{% if not loop.last %}, {% endif %}{% endfor %}{{ system }}",
    "{% for i in range(3) %}{{ i }}{% endfor %}{% for i in range(7, 1, -2) %}{{ i }}{% endfor %}{{ True }}{{ None }}",
    "{% macro twice(x) %}{{ x ~ x }}{% endmacro %}{{ twice('a') }}{% if date_string is defined %}!{% endif %}",
  ].join("\n");
  const messages = [{ role: "system", content: " Be brief. " }, { role: "user", content: "1 + 1?" }];
  equal(compileJinja(source)({ messages }), new Template(source).render({ messages, date_string: "26 Jul 2024" }));
});

Deno.test.each([
  ["{% raw %}{{ a }}{% endraw %}!", "{{ a }}!"],
  ["a {%- raw -%} {% b %} {%- endraw -%} c", "a{% b %}c"],
  ["{% raw %}1{% raw %}2{% endraw %}3", "1{% raw %}23"],
  ["{% raw %}x{% endraw %}{% raw %}y{% endraw %}", "xy"],
])("compileJinja() keeps raw blocks of %j as they are", (source, wanted) => {
  equal(compileJinja(source)({}), wanted);
});
