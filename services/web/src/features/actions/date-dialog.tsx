import { Form, textOf } from '../../base/forms/form.tsx';
import { dayText, startOfDay } from '../../base/functions/days.ts';
import { currentFragment, go } from '../../base/router/fragment.ts';
import { readNarrow, withoutFollowed } from '../../base/router/narrow.ts';
import { fragmentAt } from '../../data/places/dates.ts';
import { dateText } from '../../strings/search.ts';

/** Asks for a day, and leads to what was said then in what is shown. */
export const DateDialog = ({ onDone }: { readonly onDone: () => void }) => (
  <Form
    submit={dateText.submit}
    act={async (fields) => {
      const since = startOfDay(textOf(fields, 'day'));
      if (!since) throw new Error(dateText.wrong);
      const narrow = readNarrow(currentFragment());
      const fragment = await fragmentAt(narrow ? withoutFollowed(narrow) : { terms: [] }, since);
      if (fragment === null) throw new Error(dateText.none);
      onDone();
      go(fragment);
    }}
  >
    <label>
      {dateText.day}
      <input type="date" name="day" defaultValue={dayText(new Date())} max={dayText(new Date())} required />
    </label>
  </Form>
);
