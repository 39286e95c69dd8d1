import { z } from 'zod';

import { type EventKind, integration } from '../integration.ts';
import { inline, link, list, quote } from '../markdown.ts';
import { samples } from '../samples/builds.ts';
import { bodyDigestJws } from '../signatures.ts';

const Deploy = z.object({
  name: z.string(),
  branch: z.string().nullish(),
  context: z.string().nullish(),
  title: z.string().nullish(),
  error_message: z.string().nullish(),
  admin_url: z.string().nullish(),
  deploy_ssl_url: z.string().nullish(),
  ssl_url: z.string().nullish(),
  commit_ref: z.string().nullish(),
  commit_url: z.string().nullish(),
  id: z.string().nullish(),
});

const deploy =
  (verb: string): EventKind['tell'] =>
  (payload) => {
    const one = Deploy.parse(payload);
    const log = one.admin_url && one.id ? `${one.admin_url}/deploys/${one.id}` : one.admin_url;
    const branch = one.branch ? ` of ${inline(one.branch)}` : '';
    const commit = one.commit_ref ? ` (${link(one.commit_ref.slice(0, 11), one.commit_url)})` : '';
    const title = one.title ? `: ${inline(one.title)}` : '.';
    return {
      topic: `${one.name} / ${one.context ?? 'deploys'}`,
      content: `${link('Deploy', log)}${branch}${commit} to ${link(one.name, one.deploy_ssl_url ?? one.ssl_url)} ${verb}${title}${quote(one.error_message)}`,
    };
  };

const Form = z.object({
  form_name: z.string(),
  site_url: z.string().nullish(),
  ordered_human_fields: z.array(z.object({ title: z.string(), value: z.unknown() })).default([]),
});

const form: EventKind['tell'] = (payload) => {
  const { form_name, site_url, ordered_human_fields: fields } = Form.parse(payload);
  return {
    topic: `form ${form_name}`,
    content: `Somebody sent the form ${link(form_name, site_url)}.${list(
      fields.map(
        ({ title, value }) =>
          `**${inline(title)}**: ${inline(typeof value === 'string' ? value : JSON.stringify(value ?? ''))}`,
      ),
    )}`,
  };
};

/** Sites on Netlify. */
export const netlify = integration({
  name: 'netlify',
  displayName: 'Netlify',
  field: 'code',
  documentation: 'https://docs.netlify.com/deploy/deploy-notifications/',
  where: 'Project configuration › Notifications › Add notification › HTTP POST request',
  signature: bodyDigestJws('X-Webhook-Signature'),
  event: { header: 'X-Netlify-Event' },
  events: {
    deploy_building: { description: 'A deploy has started', tell: deploy('has started') },
    deploy_created: { description: 'A deploy has succeeded', tell: deploy(':check: succeeded') },
    deploy_failed: { description: 'A deploy has failed', tell: deploy(':cross_mark: failed') },
    deploy_deleted: { description: 'A deploy was deleted', tell: deploy('was deleted') },
    deploy_locked: { description: 'Deploys were locked', tell: deploy(':lock: was locked') },
    deploy_unlocked: { description: 'Deploys were unlocked', tell: deploy(':unlock: was unlocked') },
    deploy_restored: {
      description: 'An earlier deploy was published again',
      tell: deploy('was published again'),
    },
    deploy_request_pending: {
      description: 'A deploy waits for approval',
      tell: deploy(':raised_hand: waits for approval'),
    },
    deploy_request_accepted: { description: 'A deploy was approved', tell: deploy('was approved') },
    deploy_request_rejected: {
      description: 'A deploy was rejected',
      tell: deploy(':prohibited: was rejected'),
    },
    submission_created: { description: 'Somebody sent a form', tell: form },
  },
  samples: samples.netlify,
});
