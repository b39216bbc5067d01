import { FactStrip } from '../../components/fact-strip.tsx';
import { TwinShelfPicture } from '../../components/twin-shelf-picture.tsx';
import { FACTS, withBasis } from '../../content/claims.ts';
import css from './hero-picture.module.css';

const FACTS_SHOWN = 4;

export function HeroPicture() {
  return (
    <>
      <div className={css.picture}>
        <TwinShelfPicture story />
      </div>
      <FactStrip facts={withBasis(FACTS).slice(0, FACTS_SHOWN)} />
    </>
  );
}
