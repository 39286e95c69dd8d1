import { z } from 'zod';

import { type Told, integration, kinds } from '../integration.ts';
import { inline, link, quote } from '../markdown.ts';
import { samples } from '../samples/work.ts';
import { hmac } from '../signatures.ts';

const Named = z.object({ name: z.string() });

const Payload = z.object({
  action: z.object({
    type: z.string(),
    memberCreator: z.object({ fullName: z.string() }),
    member: z.object({ fullName: z.string() }).nullish(),
    data: z.object({
      board: Named.extend({ shortLink: z.string().nullish() }),
      card: Named.extend({
        shortLink: z.string().nullish(),
        closed: z.boolean().nullish(),
        desc: z.string().nullish(),
        due: z.string().nullish(),
        dueComplete: z.boolean().nullish(),
      })
        .partial({ name: true })
        .nullish(),
      list: Named.extend({ closed: z.boolean().nullish() }).partial({ name: true }).nullish(),
      listBefore: Named.nullish(),
      listAfter: Named.nullish(),
      old: z.record(z.string(), z.unknown()).nullish(),
      text: z.string().nullish(),
      label: z.object({ name: z.string().nullish(), color: z.string().nullish() }).nullish(),
      attachment: z.object({ name: z.string(), url: z.string().nullish() }).nullish(),
      checklist: Named.nullish(),
      checkItem: Named.extend({ state: z.string().nullish() }).nullish(),
      member: Named.nullish(),
    }),
  }),
});
type Action = z.infer<typeof Payload>['action'];

const linkTo = (kind: string, name: string, shortLink: string | null | undefined) =>
  link(name, shortLink ? `https://trello.com/${kind}/${encodeURIComponent(shortLink)}` : undefined);

/** What an update has changed of a card; undefined for what nobody is told of. */
function describeUpdate({ data }: Action, card: string): string | undefined {
  const { listBefore, listAfter, old, card: now } = data;
  if (listBefore && listAfter)
    return `moved ${card} from ${inline(listBefore.name)} to ${inline(listAfter.name)}.`;
  if (!old || !now) return undefined;
  if ('closed' in old) return `${now.closed ? 'archived' : 'restored'} ${card}.`;
  if ('name' in old)
    return `renamed ${card} from ${inline(typeof old['name'] === 'string' ? old['name'] : '')}.`;
  if ('desc' in old) return `changed the description of ${card}.${quote(now.desc)}`;
  if ('dueComplete' in old) return `marked ${card} as ${now.dueComplete ? 'complete' : 'not complete'}.`;
  if ('due' in old)
    return now.due
      ? `set the due date of ${card} to ${inline(now.due)}.`
      : `removed the due date of ${card}.`;
  return undefined;
}

/** What somebody has done to something that has no card of its own. */
function describeList({ type, data }: Action): string | undefined {
  const list = inline(data.list?.name ?? 'a list');
  if (type === 'createList') return `created the list ${list}.`;
  if (!data.old) return undefined;
  if ('closed' in data.old) return `${data.list?.closed ? 'archived' : 'restored'} the list ${list}.`;
  return 'name' in data.old ? `renamed a list to ${list}.` : undefined;
}

/** What somebody has done, after their name; undefined for what nobody is told of. */
function describe(action: Action): string | undefined {
  const { type, data, member } = action;
  const { label, attachment, checkItem, checklist } = data;
  const card = linkTo('c', data.card?.name ?? 'a card', data.card?.shortLink);
  const person = inline(member?.fullName ?? data.member?.name ?? 'somebody');
  const marker = inline(label?.name || label?.color || 'a label');
  const told: Record<string, () => string | undefined> = {
    createCard: () => `created ${card}${data.list?.name ? ` in ${inline(data.list.name)}` : ''}.`,
    copyCard: () => `copied a card to ${card}.`,
    deleteCard: () => 'deleted a card.',
    updateCard: () => describeUpdate(action, card),
    commentCard: () => `commented on ${card}:${quote(data.text)}`,
    addMemberToCard: () => `added ${person} to ${card}.`,
    removeMemberFromCard: () => `removed ${person} from ${card}.`,
    addLabelToCard: () => `added the label ${marker} to ${card}.`,
    removeLabelFromCard: () => `removed the label ${marker} from ${card}.`,
    addAttachmentToCard: () => `attached ${link(attachment?.name ?? 'a file', attachment?.url)} to ${card}.`,
    addChecklistToCard: () => `added the checklist ${inline(checklist?.name ?? '')} to ${card}.`,
    updateCheckItemStateOnCard: () =>
      `${checkItem?.state === 'complete' ? 'completed' : 'reopened'} ${inline(checkItem?.name ?? 'an item')} of ${card}.`,
    createList: () => describeList(action),
    updateList: () => describeList(action),
    addMemberToBoard: () => `added ${person} to the board.`,
    removeMemberFromBoard: () => `removed ${person} from the board.`,
  };
  return told[type]?.();
}

function tell(payload: unknown): Told | null {
  const { action } = Payload.parse(payload);
  const said = describe(action);
  if (said === undefined) return null;
  const { board, card } = action.data;
  return {
    topic: card?.name ? `${board.name} / ${card.name}` : board.name,
    content: `${inline(action.memberCreator.fullName)} ${said}`,
  };
}

/** Boards of Trello. */
export const trello = integration({
  name: 'trello',
  displayName: 'Trello',
  field: 'work',
  documentation: 'https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/',
  where: 'POST https://api.trello.com/1/webhooks with callbackURL, idModel, key and token',
  // Trello signs by the secret of the app whose key made the webhook.
  signature: hmac({
    header: 'X-Trello-Webhook',
    algorithm: 'sha1',
    encoding: 'base64',
    of: ({ bytes, url }) => [bytes, url],
  }),
  event: (payload) => Payload.parse(payload).action.type,
  events: kinds(
    {
      createCard: 'A card was created',
      copyCard: 'A card was copied',
      updateCard: 'A card was moved, renamed, archived or changed',
      deleteCard: 'A card was deleted',
      commentCard: 'Somebody commented',
      addMemberToCard: 'Somebody was added to a card',
      removeMemberFromCard: 'Somebody was removed from a card',
      addLabelToCard: 'A label was added',
      removeLabelFromCard: 'A label was removed',
      addAttachmentToCard: 'A file was attached',
      addChecklistToCard: 'A checklist was added',
      updateCheckItemStateOnCard: 'An item of a checklist was completed or reopened',
      createList: 'A list was created',
      updateList: 'A list was renamed, archived or restored',
      addMemberToBoard: 'Somebody was added to the board',
      removeMemberFromBoard: 'Somebody was removed from the board',
    },
    tell,
  ),
  samples: samples.trello,
});
