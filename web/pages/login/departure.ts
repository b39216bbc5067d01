const DEPARTURE = 'signInElsewhere';
/** As long as the server waits for the answer of the provider. */
const TRIP_MS = 10 * 60_000;

/**
 * That this tab has left for the identity provider. Only then is a way back one: else the address alone would open whatever session the
 * cookie still has, also one that somebody believes to have left.
 */
export const departure = {
  begin: (): void => sessionStorage.setItem(DEPARTURE, String(Date.now())),
  hasBegun: (): boolean => {
    const agoMs = Date.now() - Number(sessionStorage.getItem(DEPARTURE) ?? Number.NaN);
    return agoMs >= 0 && agoMs < TRIP_MS;
  },
  end: (): void => sessionStorage.removeItem(DEPARTURE),
};
