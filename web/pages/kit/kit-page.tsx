import { SiteHead } from '../../components/site-head.tsx';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { Controls } from './controls.tsx';
import css from './kit-page.module.css';
import { Messages } from './messages.tsx';
import { Pictures } from './pictures.tsx';

/** Every component with its states, for who works on them: built with WEB_KIT=on only. */
export function KitPage() {
  usePageTitle('Kit');
  return (
    <>
      <SiteHead
        title="Kit"
        lead="Each component of the design guide with its states. In both themes, in every width."
      />
      <div className={css.page}>
        <Controls />
        <Messages />
        <Pictures />
      </div>
    </>
  );
}
