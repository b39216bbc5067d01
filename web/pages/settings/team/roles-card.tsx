import { Check, Minus } from 'lucide-react';
import { useId } from 'react';
import { Card, CardHead } from '../../../components/card.tsx';
import { ROLE_LABEL, ROLES_UP, reaches } from '../../../hooks/roles.ts';
import css from './roles-card.module.css';
import { RIGHTS } from './team-words.ts';

/** What each role may do, side by side. */
export function RolesCard() {
  const id = useId();
  return (
    <Card labelledBy={id}>
      <CardHead id={id} level={3} title="What each role may do" />
      <div className={css.scroll}>
        <table className={css.table} aria-labelledby={id}>
          <thead>
            <tr>
              <td />
              {ROLES_UP.map((role) => (
                <th key={role} scope="col">
                  {role === 'admin' ? (
                    <>
                      <span className={css.long}>{ROLE_LABEL.admin}</span>
                      <abbr className={css.short} title={ROLE_LABEL.admin}>
                        Admin
                      </abbr>
                    </>
                  ) : (
                    ROLE_LABEL[role]
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {RIGHTS.map(({ what, needed }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                {ROLES_UP.map((role) => {
                  const isYes = reaches(role, needed);
                  const Mark = isYes ? Check : Minus;
                  return (
                    <td key={role}>
                      <Mark role="img" aria-label={isYes ? 'Yes' : 'No'} className={isYes ? css.yes : css.no} />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
