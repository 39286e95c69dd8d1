import { z } from 'zod';

import { type Told, integration, kinds } from '../integration.ts';
import { facts, inline, link } from '../markdown.ts';
import { samples } from '../samples/work.ts';
import { timedHmac } from '../signatures.ts';

const Payload = z.object({
  type: z.string(),
  livemode: z.boolean().nullish(),
  data: z.object({
    object: z
      .object({
        id: z.string().nullish(),
        object: z.string(),
        amount: z.number().nullish(),
        amount_total: z.number().nullish(),
        amount_due: z.number().nullish(),
        amount_refunded: z.number().nullish(),
        currency: z.string().nullish(),
        description: z.string().nullish(),
        name: z.string().nullish(),
        email: z.string().nullish(),
        number: z.string().nullish(),
        status: z.string().nullish(),
        reason: z.string().nullish(),
        failure_message: z.string().nullish(),
        hosted_invoice_url: z.string().nullish(),
        customer: z.unknown().optional(),
        cancel_at_period_end: z.boolean().nullish(),
      })
      .loose(),
  }),
});
type One = z.infer<typeof Payload>['data']['object'];

/** An amount in the currency's own form. Stripe counts in the smallest unit, which has as many digits as the currency. */
function money(amount: number, currency: string): string {
  try {
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
    const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
    return format.format(amount / 10 ** digits);
  } catch {
    return `${amount} ${currency}`;
  }
}

const pages: Record<string, string> = {
  charge: 'payments',
  payment_intent: 'payments',
  customer: 'customers',
  subscription: 'subscriptions',
  invoice: 'invoices',
  payout: 'payouts',
  dispute: 'disputes',
};

/** The page of an object in Stripe's dashboard. */
function pageOf({ object, id }: One, isLive: boolean): string | undefined {
  const page = Object.hasOwn(pages, object) ? pages[object] : undefined;
  const mode = isLive ? '' : 'test/';
  return page && id ? `https://dashboard.stripe.com/${mode}${page}/${encodeURIComponent(id)}` : undefined;
}

const amountOf = ({ amount_refunded, amount_total, amount_due, amount }: One, type: string) =>
  type === 'charge.refunded' ? amount_refunded : (amount_total ?? amount_due ?? amount);

const descriptions: Record<string, string> = {
  'charge.succeeded': 'A charge succeeded',
  'charge.failed': 'A charge failed',
  'charge.refunded': 'A charge was refunded',
  'charge.dispute.created': 'A charge was disputed',
  'charge.dispute.closed': 'A dispute was closed',
  'payment_intent.succeeded': 'A payment succeeded',
  'payment_intent.payment_failed': 'A payment failed',
  'payment_intent.canceled': 'A payment was cancelled',
  'checkout.session.completed': 'A checkout was completed',
  'checkout.session.expired': 'A checkout has expired',
  'customer.created': 'A customer was created',
  'customer.deleted': 'A customer was deleted',
  'customer.subscription.created': 'A subscription was created',
  'customer.subscription.updated': 'A subscription was changed',
  'customer.subscription.deleted': 'A subscription has ended',
  'customer.subscription.trial_will_end': 'A trial ends soon',
  'invoice.finalized': 'An invoice was finalized',
  'invoice.paid': 'An invoice was paid',
  'invoice.payment_failed': 'The payment of an invoice failed',
  'payout.created': 'A payout was created',
  'payout.paid': 'A payout has arrived',
  'payout.failed': 'A payout failed',
};

function tell(payload: unknown, type: string): Told {
  const { livemode, data } = Payload.parse(payload);
  const one = data.object;
  const amount = amountOf(one, type);
  const sum = typeof amount === 'number' && one.currency ? ` (${inline(money(amount, one.currency))})` : '';
  const sign = /fail|dispute\.created/.test(type) ? ':cross_mark: ' : '';
  const test = livemode === false ? ' (test)' : '';
  const customer = typeof one.customer === 'string' ? one.customer : null;
  const [topic = 'Stripe'] = type.split('.');
  return {
    topic:
      topic === 'customer' && type.includes('subscription')
        ? 'subscriptions'
        : `${topic.replaceAll('_', ' ')}s`,
    content: `${sign}${descriptions[type] ?? ''}${sum}: ${link(one.number ?? one.name ?? one.id ?? one.object, one.hosted_invoice_url ?? pageOf(one, livemode !== false))}${test}${facts(
      {
        Description: one.description,
        Customer: customer,
        'Email address': one.email,
        Status: one.status,
        Reason: one.reason ?? one.failure_message,
      },
    )}`,
  };
}

/** Payments by Stripe. */
export const stripe = integration({
  name: 'stripe',
  displayName: 'Stripe',
  field: 'work',
  documentation: 'https://docs.stripe.com/api/events/types',
  where: 'Developers › Webhooks › Add destination › Webhook endpoint',
  signature: timedHmac('Stripe-Signature', { time: 't', signature: 'v1' }),
  event: (payload) => Payload.parse(payload).type,
  events: kinds(descriptions, tell),
  samples: samples.stripe,
});
