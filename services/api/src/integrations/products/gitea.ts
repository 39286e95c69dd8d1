import { z } from 'zod';

import { integration } from '../integration.ts';
import { lookUp } from '../look-up.ts';
import { link, quote } from '../markdown.ts';
import { samples } from '../samples/gitea.ts';
import { hmac } from '../signatures.ts';
import {
  type Parser,
  Titled,
  actionOf,
  by,
  fork,
  issueComment,
  issues,
  kind,
  nameOf,
  pullRequest,
  push,
  refChange,
  release,
  topicOf,
} from './forge.ts';

const Review = z.object({
  pull_request: Titled,
  review: z.object({ content: z.string().nullish() }).nullish(),
});

const reviewed =
  (verb: string): Parser =>
  (payload, common) => {
    const { pull_request: pr, review } = Review.parse(payload);
    return {
      topic: topicOf(common, 'PR', pr),
      content: `${by(common)} ${verb} ${nameOf('PR', pr)}${quote(review?.content)}`,
    };
  };

const repository: Parser = (_, common) => {
  const verb = lookUp({ created: 'created', deleted: 'deleted' }, common.action);
  const { name, full_name, html_url } = common.repository;
  return verb === undefined
    ? null
    : { topic: name, content: `${by(common)} ${verb} ${link(full_name, html_url)}.` };
};

const wiki: Parser = (payload, common) => {
  const { page } = z.object({ page: z.string() }).parse(payload);
  const verb = lookUp({ created: 'created', edited: 'edited', deleted: 'deleted' }, common.action);
  const address = `${common.repository.html_url}/wiki/${encodeURIComponent(page)}`;
  return verb === undefined
    ? null
    : {
        topic: `${common.repository.name} / wiki`,
        content: `${by(common)} ${verb} the page ${link(page, address)}.`,
      };
};

const requested: Parser = (payload, common) =>
  // Gitea says `reviewed` of comments with a review, and tells of each with an event of its own.
  common.action === 'reviewed' ? null : pullRequest(payload, common);

/** Repositories on Gitea and Forgejo. */
export const gitea = integration({
  name: 'gitea',
  displayName: 'Gitea and Forgejo',
  field: 'code',
  documentation: 'https://docs.gitea.com/usage/webhooks',
  where: 'Settings › Webhooks › Add webhook › Gitea',
  signature: hmac({ header: 'X-Gitea-Signature' }),
  event: { header: 'X-Gitea-Event' },
  detail: actionOf,
  events: {
    push: kind('Commits were pushed', push),
    create: kind('A branch or a tag was created', refChange('created')),
    delete: kind('A branch or a tag was deleted', refChange('deleted')),
    issues: kind('An issue was opened or changed', issues),
    issue_comment: kind('Somebody commented on an issue or a pull request', issueComment),
    pull_request: kind('A pull request was opened or changed', requested),
    pull_request_approved: kind('A pull request was approved', reviewed('approved')),
    pull_request_rejected: kind('Changes to a pull request were requested', reviewed('requested changes to')),
    pull_request_comment: kind('A pull request was reviewed with a comment', reviewed('reviewed')),
    release: kind('A release was published', release),
    fork: kind('The repository was forked', fork),
    repository: kind('A repository was created or deleted', repository),
    wiki: kind('A page of the wiki was changed', wiki),
  },
  samples,
});
