import { still } from '../../components/still.tsx';
import { BRAND } from '../../content/brand.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { useHashArrival } from '../../hooks/use-scroll.ts';
import { GetStarted } from './get-started.tsx';
import { Hero } from './hero.tsx';
import { LandingPricing } from './landing-pricing.tsx';

const Features = still('features', () => import('./features.tsx').then((m) => m.Features));
const Performance = still('performance', () => import('./performance.tsx').then((m) => m.Performance));
const Voices = still('voices', () => import('./voices.tsx').then((m) => m.Voices));
const Questions = still('faq', () => import('./questions.tsx').then((m) => m.Questions));

/** The seven anchored parts, in the order of `SECTIONS`. */
export function LandingPage() {
  usePageTitle(BRAND.name);
  useHashArrival();
  return (
    <>
      <Hero />
      <Features />
      <Performance />
      <LandingPricing />
      <GetStarted />
      <Voices />
      <Questions />
    </>
  );
}
