import { ApiError } from '@parley/protocol';
import { z } from 'zod';

/** What clients that support widgets show instead of a message's text. It is the content of the first submessage. */
interface Widget {
  widget_type: string;
  extra_data: object;
}

/** Returns the widget that a text requests with `/poll` or `/todo`, as JSON; null for all other texts. */
export function widgetFromText(content: string): string | null {
  const command = /^\/(poll|todo)(?=\s|$)/.exec(content);
  if (!command) return null;
  const [first = '', ...rest] = content.slice(command[0].length).split(/\r\n|[\n\r]/);
  const lines = rest.map((line) => line.trim().replace(/^[-*]?\s*/, '')).filter((line) => line !== '');
  const widget: Widget =
    command[1] === 'poll'
      ? { widget_type: 'poll', extra_data: { question: first.trim(), options: lines } }
      : { widget_type: 'todo', extra_data: { task_list_title: first.trim(), tasks: lines.map(parseTask) } };
  return JSON.stringify(widget);
}

/** A task of a to-do list. Its line has the form `task: description`. */
function parseTask(line: string): { task: string; desc: string } {
  const [task = '', ...more] = line.split(': ');
  return { task: task.trim(), desc: more.join(': ').trim() };
}

const Choices = z.object({
  widget_type: z.literal('zform'),
  extra_data: z.object({
    type: z.literal('choices'),
    heading: z.string(),
    choices: z.array(z.object({ short_name: z.string(), long_name: z.string(), reply: z.string() })),
  }),
});

/**
 * Returns the widget that a bot sends in `widget_content`, as JSON.
 *
 * @throws BAD_REQUEST for anything but a `zform` widget
 */
export function parseWidget(raw: string): string {
  try {
    return JSON.stringify(Choices.parse(JSON.parse(raw)));
  } catch (error) {
    if (!(error instanceof z.ZodError)) {
      throw new ApiError('BAD_REQUEST', 'widget_content must be JSON.');
    }
    const [issue] = error.issues;
    const where = issue?.path.join('.') || 'widget_content';
    throw new ApiError('BAD_REQUEST', `widget_content is not valid: check '${where}'.`);
  }
}

/** Returns the widget type in the content of a widget's submessage, such as `poll` or `todo`; null if there is none. */
export function widgetTypeOf(content: string): unknown {
  try {
    const widget: unknown = JSON.parse(content);
    return widget !== null && typeof widget === 'object' && 'widget_type' in widget
      ? widget.widget_type
      : null;
  } catch {
    return null;
  }
}
