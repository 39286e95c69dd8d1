import { z } from 'zod';

import { type Declaration, type Told, integration } from '../integration.ts';
import { samples } from '../samples/messages.ts';

const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** What somebody writes into a request of an automation: a text, and where it belongs. */
const Payload = z.object({
  content: Text.optional(),
  message: Text.optional(),
  text: Text.optional(),
  topic: Text.optional(),
  subject: Text.optional(),
  title: Text.nullish(),
});

/** Whoever builds an automation writes its messages, in Markdown, as the bot that they own. */
const tell =
  (otherwise: string) =>
  (payload: unknown): Told => {
    const { content, message, text, topic, subject, title } = Payload.parse(payload);
    const said = z
      .string()
      .refine((one) => one.trim() !== '')
      .parse(content ?? message ?? text);
    return { topic: topic ?? subject ?? title ?? otherwise, content: said };
  };

const automation = (
  declared: Pick<Declaration, 'name' | 'displayName' | 'documentation' | 'where' | 'samples'> & {
    body: object;
  },
) =>
  integration({
    ...declared,
    field: 'anything',
    body: JSON.stringify(declared.body, null, 2),
    event: () => 'message',
    events: {
      message: {
        description: 'A message that you write in the automation',
        tell: tell(declared.displayName),
      },
    },
  });

export const zapier = automation({
  name: 'zapier',
  displayName: 'Zapier',
  documentation: 'https://help.zapier.com/hc/en-us/articles/8496326446989',
  where: 'Action › Webhooks by Zapier › POST, payload type: json',
  body: { topic: 'Orders', content: 'A new order' },
  samples: samples.zapier,
});

export const ifttt = automation({
  name: 'ifttt',
  displayName: 'IFTTT',
  documentation: 'https://ifttt.com/maker_webhooks',
  where: 'Then That › Webhooks › Make a web request, method: POST, content type: application/json',
  body: { topic: '{{EventName}}', content: '{{Value1}}' },
  samples: samples.ifttt,
});

export const homeAssistant = automation({
  name: 'homeassistant',
  displayName: 'Home Assistant',
  documentation: 'https://www.home-assistant.io/integrations/notify.rest/',
  where: 'configuration.yaml › notify › platform: rest, method: POST_JSON, title_param_name: title',
  body: { title: 'Garden', message: 'The gate is open' },
  samples: samples.homeassistant,
});
