import type { Samples } from '../integration.ts';

const tea = 'https://linear.app/tea';
const linearEvent = (action: string, type: string, data: object, url: string | null = null) => ({
  action,
  type,
  actor: { id: 'b5ea5f1f', type: 'user', name: 'Mona' },
  createdAt: '2026-11-20T10:00:00.000Z',
  data: { id: '2174add1', ...data },
  url,
  webhookTimestamp: 1_763_632_800_000,
});
const issue = {
  identifier: 'TEA-1',
  number: 1,
  title: 'The tea is cold',
  description: 'Warm it.',
  priorityLabel: 'High',
  state: { name: 'Todo' },
  team: { name: 'Kitchen' },
  assignee: { name: 'Hubot' },
};
const on = { issue: { identifier: 'TEA-1', title: 'The tea is cold' } };

const linear: Samples = {
  'issue created': ['Issue', linearEvent('create', 'Issue', issue, `${tea}/issue/TEA-1`)],
  'issue changed': [
    'Issue',
    linearEvent('update', 'Issue', { ...issue, state: { name: 'Done' } }, `${tea}/issue/TEA-1`),
  ],
  'issue removed': ['Issue', linearEvent('remove', 'Issue', issue)],
  commented: [
    'Comment',
    linearEvent('create', 'Comment', { body: 'Agreed.', ...on }, `${tea}/issue/TEA-1#comment-1`),
  ],
  reacted: ['Reaction', linearEvent('create', 'Reaction', { emoji: 'tea', ...on })],
  'label created': ['IssueLabel', linearEvent('create', 'IssueLabel', { name: 'hot' })],
  'project created': [
    'Project',
    linearEvent(
      'create',
      'Project',
      { name: 'Warm tea', description: 'At last.', state: 'planned' },
      `${tea}/project/warm`,
    ),
  ],
  'project update written': [
    'ProjectUpdate',
    linearEvent(
      'create',
      'ProjectUpdate',
      { body: 'Going well.', health: 'onTrack', project: { name: 'Warm tea' } },
      `${tea}/update/1`,
    ),
  ],
  'cycle created': ['Cycle', linearEvent('create', 'Cycle', { number: 4 })],
  'document changed': [
    'Document',
    linearEvent('update', 'Document', { title: 'How to brew' }, `${tea}/document/1`),
  ],
  'initiative created': ['Initiative', linearEvent('create', 'Initiative', { name: 'Better tea' })],
};

const card = { id: '5f2', idShort: 3, name: 'Buy tea', shortLink: 'aBcD1234' };
const list = { id: '5f3', name: 'To do' };
const trelloAction = (type: string, data: object, more: object = {}) => ({
  action: {
    id: '5f4',
    type,
    date: '2026-11-20T10:00:00.000Z',
    memberCreator: { id: '5f5', fullName: 'Mona', username: 'mona' },
    data: { board: { id: '5f6', name: 'Tea', shortLink: 'eFgH5678' }, ...data },
    ...more,
  },
  model: { id: '5f6', name: 'Tea' },
});
const hubot = { member: { id: '5f7', fullName: 'Hubot', username: 'hubot' } };
const label = { label: { id: '5f8', name: 'hot', color: 'red' } };
const cards = {
  'card created': ['createCard', { card, list }],
  'card copied': ['copyCard', { card, list, cardSource: card }],
  'card moved': [
    'updateCard',
    { card, old: { idList: '1' }, listBefore: list, listAfter: { id: '2', name: 'Done' } },
  ],
  'card archived': ['updateCard', { card: { ...card, closed: true }, old: { closed: false } }],
  'card renamed': ['updateCard', { card, old: { name: 'Buy coffee' } }],
  'card described': ['updateCard', { card: { ...card, desc: 'Green.' }, old: { desc: '' } }],
  'due date set': ['updateCard', { card: { ...card, due: '2026-11-21T10:00:00.000Z' }, old: { due: null } }],
  'card deleted': ['deleteCard', { card: { id: '5f2', idShort: 3, shortLink: 'aBcD1234' }, list }],
  commented: ['commentCard', { card, list, text: 'Agreed.' }],
  'label added': ['addLabelToCard', { card, ...label }],
  'label removed': ['removeLabelFromCard', { card, ...label }],
  'file attached': [
    'addAttachmentToCard',
    { card, attachment: { id: '1', name: 'menu.pdf', url: 'https://tea.example/menu.pdf' } },
  ],
  'checklist added': ['addChecklistToCard', { card, checklist: { id: '1', name: 'Steps' } }],
  'item completed': [
    'updateCheckItemStateOnCard',
    { card, checklist: { name: 'Steps' }, checkItem: { name: 'Boil', state: 'complete' } },
  ],
  'list created': ['createList', { list }],
  'list archived': ['updateList', { list: { ...list, closed: true }, old: { closed: false } }],
} satisfies Record<string, [string, object]>;

const trello: Samples = {
  ...Object.fromEntries(
    Object.entries(cards).map(([title, [type, data]]) => [title, [type, trelloAction(type, data)]]),
  ),
  'member added to a card': ['addMemberToCard', trelloAction('addMemberToCard', { card }, hubot)],
  'member removed from a card': [
    'removeMemberFromCard',
    trelloAction('removeMemberFromCard', { card }, hubot),
  ],
  'member added to the board': ['addMemberToBoard', trelloAction('addMemberToBoard', {}, hubot)],
  'member removed from the board': [
    'removeMemberFromBoard',
    trelloAction('removeMemberFromBoard', {}, hubot),
  ],
};

const charge = {
  id: 'ch_1',
  object: 'charge',
  amount: 1999,
  amount_refunded: 500,
  currency: 'eur',
  customer: 'cus_1',
  description: 'Two cups',
  status: 'succeeded',
};
const payment = { ...charge, id: 'pi_1', object: 'payment_intent' };
const subscription = { id: 'sub_1', object: 'subscription', customer: 'cus_1', status: 'active' };
const customer = { id: 'cus_1', object: 'customer', name: 'Mona', email: 'mona@tea.example' };
const invoice = {
  id: 'in_1',
  object: 'invoice',
  number: 'TEA-0001',
  amount_due: 1999,
  currency: 'eur',
  customer: 'cus_1',
  hosted_invoice_url: 'https://invoice.stripe.com/i/1',
};
const checkout = {
  id: 'cs_1',
  object: 'checkout.session',
  amount_total: 2500,
  currency: 'jpy',
  customer: null,
};
const dispute = {
  id: 'dp_1',
  object: 'dispute',
  amount: 1999,
  currency: 'eur',
  reason: 'general',
  status: 'needs_response',
};
const payout = { id: 'po_1', object: 'payout', amount: 10_000, currency: 'usd', status: 'paid' };

const objects: Record<string, object> = {
  'charge.succeeded': charge,
  'charge.failed': { ...charge, status: 'failed', failure_message: 'Your card was declined.' },
  'charge.refunded': charge,
  'charge.dispute.created': dispute,
  'charge.dispute.closed': { ...dispute, status: 'won' },
  'payment_intent.succeeded': payment,
  'payment_intent.payment_failed': payment,
  'payment_intent.canceled': payment,
  'checkout.session.completed': checkout,
  'checkout.session.expired': checkout,
  'customer.created': customer,
  'customer.deleted': customer,
  'customer.subscription.created': subscription,
  'customer.subscription.updated': subscription,
  'customer.subscription.deleted': { ...subscription, status: 'canceled' },
  'customer.subscription.trial_will_end': subscription,
  'invoice.finalized': invoice,
  'invoice.paid': invoice,
  'invoice.payment_failed': invoice,
  'payout.created': payout,
  'payout.paid': payout,
  'payout.failed': { ...payout, failure_message: 'The account is closed.' },
};

const stripe: Samples = Object.fromEntries(
  Object.entries(objects).map(([type, object]) => [
    type,
    [
      type,
      {
        id: 'evt_1',
        object: 'event',
        type,
        livemode: !type.startsWith('payout'),
        created: 1_763_632_800,
        data: { object },
      },
    ],
  ]),
);

export const samples = { linear, trello, stripe };
