import type { Message } from '@parley/client';

import { Form, textOf } from '../../base/forms/form.tsx';
import { showToast } from '../../base/toasts/toasts.tsx';
import { connection } from '../../data/session/session.ts';
import { reportText } from '../../strings/actions.ts';
import { Html } from '../content/index.ts';

/** The most characters of an explanation. */
const explanationMax = 1000;

/** Asks why a message is reported to the moderators. */
export const ReportDialog = ({ message, onDone }: { message: Message; readonly onDone: () => void }) => (
  <Form
    submit={reportText.submit}
    act={async (fields) => {
      await connection().post(`/messages/${message.id}/report`, {
        report_type: textOf(fields, 'reason'),
        description: textOf(fields, 'explanation'),
      });
      showToast(reportText.reported);
      onDone();
    }}
  >
    <Html class="rendered" html={message.content} />
    <p>{reportText.about}</p>
    <label>
      {reportText.reason}
      <select name="reason">
        {Object.entries(reportText.reasons).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
    <label>
      {reportText.explanation}
      <textarea name="explanation" rows={3} maxLength={explanationMax} />
    </label>
  </Form>
);
