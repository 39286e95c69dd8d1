import { integration } from '../integration.ts';
import { fenced, shorten } from '../markdown.ts';
import { fill } from '../template.ts';

/** A longer text is not indented: a message would show its beginning alone. */
const lengthMax = 8000;

/** Shows any JSON as it is, or as a template says. */
export const json = integration({
  name: 'json',
  displayName: 'JSON',
  field: 'anything',
  documentation: 'https://www.rfc-editor.org/rfc/rfc8259',
  where: 'whatever posts JSON',
  options: { template: 'Template of Mustache that makes the message' },
  event: () => 'json',
  events: {
    json: {
      description: 'Any JSON',
      tell(payload, template) {
        if (template) {
          const filled = fill(template, payload);
          return filled.trim() === '' ? null : { topic: 'JSON', content: filled };
        }
        const text = JSON.stringify(payload);
        const shown = text.length > lengthMax ? shorten(text, lengthMax) : JSON.stringify(payload, null, 2);
        return { topic: 'JSON', content: fenced('json', shown).trim() };
      },
    },
  },
  samples: { anything: ['json', { tea: 'green', cups: 2 }] },
});
