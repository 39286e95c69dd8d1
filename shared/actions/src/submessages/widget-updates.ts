import { ApiError } from '@parley/protocol';
import { z } from 'zod';

/** The number that a client gives to an option or a task that it adds. */
const index = z.int().min(0).max(1000);

interface UpdateKind {
  shape: z.ZodType;
  /** Set where only the message's author may do so: the error for others. */
  forAuthor?: string;
}

const kinds: Record<string, Record<string, UpdateKind>> = {
  poll: {
    new_option: {
      shape: z.strictObject({ type: z.string(), idx: index, option: z.string() }),
    },
    question: {
      shape: z.strictObject({ type: z.string(), question: z.string() }),
      forAuthor: 'Only the author can change the question.',
    },
    vote: {
      shape: z.strictObject({ type: z.string(), key: z.string(), vote: z.literal([1, -1]) }),
    },
  },
  todo: {
    new_task: {
      shape: z.strictObject({
        type: z.string(),
        key: index,
        task: z.string(),
        desc: z.string(),
        completed: z.boolean(),
      }),
    },
    strike: { shape: z.strictObject({ type: z.string(), key: z.string() }) },
    new_task_list_title: {
      shape: z.strictObject({ type: z.string(), title: z.string() }),
      forAuthor: 'Only the author can change the title.',
    },
  },
};

const Update = z.looseObject({ type: z.string() });

/**
 * Refuses an update that clients could not apply to a poll or a to-do list. Other widgets take any update.
 *
 * @throws BAD_REQUEST saying why
 */
export function assertWidgetUpdateIsValid(widgetType: unknown, update: unknown, isAuthor: boolean): void {
  if (widgetType !== 'poll' && widgetType !== 'todo') return;
  const { data } = Update.safeParse(update);
  if (!data) throw new ApiError('BAD_REQUEST', `A change of a ${widgetType} widget needs a type.`);
  const kindsByType = new Map(Object.entries(kinds[widgetType] ?? {}));
  const kind = kindsByType.get(data.type);
  if (!kind)
    throw new ApiError('BAD_REQUEST', `A ${widgetType} widget has no change of the type '${data.type}'.`);
  if (kind.forAuthor !== undefined && !isAuthor) throw new ApiError('BAD_REQUEST', kind.forAuthor);
  const { error } = kind.shape.safeParse(data);
  if (!error) return;
  const [issue] = error.issues;
  const where = issue?.path.join('.') || data.type;
  throw new ApiError('BAD_REQUEST', `This change of a ${widgetType} widget is not valid: check '${where}'.`);
}
