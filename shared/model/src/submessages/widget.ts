import { ApiError } from '@parley/protocol';
import { z } from 'zod';

/** What a message shows instead of its text, to clients that can; the content of its first submessage. */
interface Widget {
  widget_type: string;
  extra_data: object;
}

/** The widget that a text asks for, as JSON; null for nearly all texts. */
export function widgetFromText(content: string): string | null {
  const asked = /^\/(poll|todo)(?=\s|$)/.exec(content);
  if (!asked) return null;
  const [first = '', ...rest] = content.slice(asked[0].length).split(/\r\n|[\n\r]/);
  const lines = rest.map((line) => line.trim().replace(/^[-*]?\s*/, '')).filter((line) => line !== '');
  const widget: Widget =
    asked[1] === 'poll'
      ? { widget_type: 'poll', extra_data: { question: first.trim(), options: lines } }
      : { widget_type: 'todo', extra_data: { task_list_title: first.trim(), tasks: lines.map(readTask) } };
  return JSON.stringify(widget);
}

/** `What: and more about it`. */
function readTask(line: string): { task: string; desc: string } {
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

/** The widget that a program sends with a message, as JSON. */
export function parseWidget(raw: string): string {
  try {
    return JSON.stringify(Choices.parse(JSON.parse(raw)));
  } catch (error) {
    if (!(error instanceof z.ZodError)) {
      throw new ApiError('BAD_REQUEST', 'Widgets: widget_content is not valid JSON');
    }
    const [issue] = error.issues;
    const where = issue?.path.join('.') || 'widget_content';
    throw new ApiError('BAD_REQUEST', `Widgets: ${where} is not what a widget has there`);
  }
}

/** What a first submessage makes of its message: `poll`, `todo`, or something that is not looked into. */
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
