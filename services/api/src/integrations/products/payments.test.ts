import { expect, test } from 'vitest';

import { toldOf } from '../sample.ts';
import { stripe } from './stripe.ts';

test('stripe tells of every sample by a topic and a text', () => {
  expect(toldOf(stripe)).toEqual({
    'charge.succeeded': [
      'charges',
      `A charge succeeded (€19.99): [ch_1](https://dashboard.stripe.com/payments/ch_1)
* **Description**: Two cups
* **Customer**: cus_1
* **Status**: succeeded`,
    ],
    'charge.failed': [
      'charges',
      `:cross_mark: A charge failed (€19.99): [ch_1](https://dashboard.stripe.com/payments/ch_1)
* **Description**: Two cups
* **Customer**: cus_1
* **Status**: failed
* **Reason**: Your card was declined.`,
    ],
    'charge.refunded': [
      'charges',
      `A charge was refunded (€5.00): [ch_1](https://dashboard.stripe.com/payments/ch_1)
* **Description**: Two cups
* **Customer**: cus_1
* **Status**: succeeded`,
    ],
    'charge.dispute.created': [
      'charges',
      `:cross_mark: A charge was disputed (€19.99): [dp_1](https://dashboard.stripe.com/disputes/dp_1)
* **Status**: needs_response
* **Reason**: general`,
    ],
    'charge.dispute.closed': [
      'charges',
      `A dispute was closed (€19.99): [dp_1](https://dashboard.stripe.com/disputes/dp_1)
* **Status**: won
* **Reason**: general`,
    ],
    'payment_intent.succeeded': [
      'payment intents',
      `A payment succeeded (€19.99): [pi_1](https://dashboard.stripe.com/payments/pi_1)
* **Description**: Two cups
* **Customer**: cus_1
* **Status**: succeeded`,
    ],
    'payment_intent.payment_failed': [
      'payment intents',
      `:cross_mark: A payment failed (€19.99): [pi_1](https://dashboard.stripe.com/payments/pi_1)
* **Description**: Two cups
* **Customer**: cus_1
* **Status**: succeeded`,
    ],
    'payment_intent.canceled': [
      'payment intents',
      `A payment was cancelled (€19.99): [pi_1](https://dashboard.stripe.com/payments/pi_1)
* **Description**: Two cups
* **Customer**: cus_1
* **Status**: succeeded`,
    ],
    'checkout.session.completed': ['checkouts', 'A checkout was completed (¥2,500): cs_1'],
    'checkout.session.expired': ['checkouts', 'A checkout has expired (¥2,500): cs_1'],
    'customer.created': [
      'customers',
      `A customer was created: [Mona](https://dashboard.stripe.com/customers/cus_1)
* **Email address**: mona@tea.example`,
    ],
    'customer.deleted': [
      'customers',
      `A customer was deleted: [Mona](https://dashboard.stripe.com/customers/cus_1)
* **Email address**: mona@tea.example`,
    ],
    'customer.subscription.created': [
      'subscriptions',
      `A subscription was created: [sub_1](https://dashboard.stripe.com/subscriptions/sub_1)
* **Customer**: cus_1
* **Status**: active`,
    ],
    'customer.subscription.updated': [
      'subscriptions',
      `A subscription was changed: [sub_1](https://dashboard.stripe.com/subscriptions/sub_1)
* **Customer**: cus_1
* **Status**: active`,
    ],
    'customer.subscription.deleted': [
      'subscriptions',
      `A subscription has ended: [sub_1](https://dashboard.stripe.com/subscriptions/sub_1)
* **Customer**: cus_1
* **Status**: canceled`,
    ],
    'customer.subscription.trial_will_end': [
      'subscriptions',
      `A trial ends soon: [sub_1](https://dashboard.stripe.com/subscriptions/sub_1)
* **Customer**: cus_1
* **Status**: active`,
    ],
    'invoice.finalized': [
      'invoices',
      `An invoice was finalized (€19.99): [TEA-0001](https://invoice.stripe.com/i/1)
* **Customer**: cus_1`,
    ],
    'invoice.paid': [
      'invoices',
      `An invoice was paid (€19.99): [TEA-0001](https://invoice.stripe.com/i/1)
* **Customer**: cus_1`,
    ],
    'invoice.payment_failed': [
      'invoices',
      `:cross_mark: The payment of an invoice failed (€19.99): [TEA-0001](https://invoice.stripe.com/i/1)
* **Customer**: cus_1`,
    ],
    'payout.created': [
      'payouts',
      `A payout was created ($100.00): [po_1](https://dashboard.stripe.com/test/payouts/po_1) (test)
* **Status**: paid`,
    ],
    'payout.paid': [
      'payouts',
      `A payout has arrived ($100.00): [po_1](https://dashboard.stripe.com/test/payouts/po_1) (test)
* **Status**: paid`,
    ],
    'payout.failed': [
      'payouts',
      `:cross_mark: A payout failed ($100.00): [po_1](https://dashboard.stripe.com/test/payouts/po_1) (test)
* **Status**: paid
* **Reason**: The account is closed.`,
    ],
  });
});
