import { ApiError } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { fill } from './template.ts';

const order = {
  number: 7,
  paid: true,
  customer: { name: 'Mona [the] @**all**', address: { city: 'Rome' } },
  cups: [{ kind: 'green', tags: ['hot', 'big'] }, { kind: 'black' }],
  note: 'No\nsugar',
  nothing: null,
};

describe('a template', () => {
  test.each([
    ['Order {{number}} of {{customer.name}}', 'Order 7 of Mona (the) @\u200B**all**'],
    [
      '{{#cups}}* {{kind}} for {{customer.address.city}} ({{tags}})\n{{/cups}}',
      '* green for Rome (hot, big)\n* black for Rome ()\n',
    ],
    ['{{#paid}}paid{{/paid}}{{^paid}}open{{/paid}}{{^nothing}}, no more{{/nothing}}', 'paid, no more'],
    ['{{#cups}}{{#tags}}{{.}} {{/tags}}{{/cups}}', 'hot big '],
    ['{{{note}}}', '\n~~~ quote\nNo\nsugar\n~~~'],
    ['{{note}}{{! nobody reads this }}', 'No sugar'],
    ['{{customer}}{{missing}}{{number.of.nothing}}{{> partial}}', ''],
    ['{{constructor}}{{__proto__}}{{cups.length}}{{cups.map}}{{#toString}}x{{/toString}}', '2'],
    ['no field', 'no field'],
  ])('%j makes %j', (template, text) => {
    expect(fill(template, order)).toBe(text);
  });

  test.each(['{{#open}}', '{{/closed}}', '{{broken', '{{=x=}}'])('%j is refused', (template) => {
    expect(() => fill(template, order)).toThrow(ApiError);
  });

  test('stops at a bound, however often its sections multiply', () => {
    const many = Array.from({ length: 1000 }, () => 'tea');
    const nested = `${'{{#many}}'.repeat(12)}{{.}}${'{{/many}}'.repeat(12)}`;
    expect(fill(nested, { many }).length).toBeLessThan(11_000);
    expect(fill('{{#many}}{{missing}}{{/many}}', { many: Array.from({ length: 900_000 }, () => 1) })).toBe(
      '',
    );
    expect(fill('{{many}}{{{many}}}'.repeat(100), { many: 'x'.repeat(1_000_000) }).length).toBeLessThan(
      20_000,
    );
  });

  test('makes a text of anything, or is refused', () => {
    const part = fc.oneof(
      fc.constantFrom('{{', '}}', '{{#a}}', '{{/a}}', '{{^b}}', '{{/b}}', '{{{a}}}', '{{a.b}}', '{{.}}'),
      fc.string(),
    );
    const template = fc.array(part).map((parts) => parts.join(''));
    fc.assert(
      fc.property(template, fc.jsonValue(), (text, payload) => {
        try {
          fill(text, payload);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
        }
      }),
    );
  });
});
