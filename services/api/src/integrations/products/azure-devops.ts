import { z } from 'zod';

import { integration, kinds } from '../integration.ts';
import { inline, link, quote } from '../markdown.ts';
import { samples } from '../samples/azure-devops.ts';

const Text = z.object({ text: z.string() });

/** Azure says of every event what has happened, in a sentence. */
const Payload = z.object({
  eventType: z.string(),
  message: Text,
  detailedMessage: Text.nullish(),
  resource: z
    .object({
      id: z.union([z.number(), z.string()]).nullish(),
      pullRequestId: z.number().nullish(),
      workItemId: z.number().nullish(),
      title: z.string().nullish(),
      url: z.string().nullish(),
      _links: z.object({ web: z.object({ href: z.string() }).nullish() }).nullish(),
      repository: z.object({ name: z.string(), remoteUrl: z.string().nullish() }).nullish(),
      pullRequest: z
        .object({
          pullRequestId: z.number(),
          title: z.string().nullish(),
          repository: z.object({ name: z.string() }).nullish(),
        })
        .nullish(),
      definition: z.object({ name: z.string() }).nullish(),
      pipeline: z.object({ name: z.string() }).nullish(),
      environment: z.object({ name: z.string() }).nullish(),
      fields: z.record(z.string(), z.unknown()).nullish(),
      revision: z.object({ fields: z.record(z.string(), z.unknown()).nullish() }).nullish(),
    })
    .loose(),
});
type Resource = z.infer<typeof Payload>['resource'];

function topicOf({
  pullRequestId,
  pullRequest,
  repository,
  definition,
  pipeline,
  environment,
  ...item
}: Resource) {
  const pr = pullRequest ?? (pullRequestId ? { pullRequestId, title: item.title, repository } : null);
  if (pr) return `${(pr.repository ?? repository)?.name ?? 'PR'} / PR ${pr.pullRequestId} ${pr.title ?? ''}`;
  const title = (item.revision?.fields ?? item.fields)?.['System.Title'];
  if (typeof title === 'string') return `#${item.workItemId ?? item.id ?? ''} ${title}`;
  return repository?.name ?? definition?.name ?? pipeline?.name ?? environment?.name ?? 'Azure DevOps';
}

/** The comment of whoever has commented. */
const Comment = z.object({ resource: z.object({ comment: z.object({ content: z.string() }) }) });

const descriptions = {
  'git.push': 'Commits were pushed',
  'git.pullrequest.created': 'A pull request was opened',
  'git.pullrequest.updated': 'A pull request was changed',
  'git.pullrequest.merged': 'Merging a pull request was tried',
  'ms.vss-code.git-pullrequest-comment-event': 'Somebody commented on a pull request',
  'workitem.created': 'A work item was created',
  'workitem.updated': 'A work item was changed',
  'workitem.commented': 'Somebody commented on a work item',
  'workitem.deleted': 'A work item was deleted',
  'workitem.restored': 'A work item was restored',
  'build.complete': 'A build has ended',
  'ms.vss-pipelines.run-state-changed-event': 'The state of a pipeline’s run has changed',
  'ms.vss-pipelines.stage-state-changed-event': 'The state of a stage has changed',
  'ms.vss-release.release-created-event': 'A release was created',
  'ms.vss-release.deployment-started-event': 'A deployment has started',
  'ms.vss-release.deployment-completed-event': 'A deployment has ended',
};

/** Projects on Azure DevOps. */
export const azureDevops = integration({
  name: 'azuredevops',
  displayName: 'Azure DevOps',
  field: 'code',
  documentation: 'https://learn.microsoft.com/en-us/azure/devops/service-hooks/events',
  where: 'Project settings › Service hooks › Create subscription › Web Hooks',
  event: (payload) => Payload.parse(payload).eventType,
  events: kinds(descriptions, (payload) => {
    const { message, resource } = Payload.parse(payload);
    const comment = Comment.safeParse(payload).data?.resource.comment.content;
    const { _links: links, repository } = resource;
    const address = links?.web?.href ?? repository?.remoteUrl;
    const more = address ? ` (${link('open', address)})` : '';
    return {
      topic: topicOf(resource),
      content: `${inline(message.text)}${more}${comment === undefined ? '' : quote(comment)}`,
    };
  }),
  samples,
});
