// What stands around every page of this site.
import { AccountMenu, Footer, Header, SiteFrame } from '@claret/ui/site';
import { Gavel, Tag, UserRound } from 'lucide-react';
import { PAGE } from '../api/paths.ts';
import { useConnection } from '../live/live.ts';
import { useSession } from '../session.ts';
import { NoticesMenu } from './NoticesMenu.tsx';
import { NoticeToasts } from './NoticeToasts.tsx';
import { SearchBox } from './SearchBox.tsx';

const MINE = { to: PAGE.me, label: 'My bids and sales' };
const SELL = { to: PAGE.sell, label: 'Sell something' };

export function Frame() {
  const { user } = useSession();
  const places = user && [
    { ...MINE, Icon: Gavel },
    { to: PAGE.user(user.id), label: 'My page as others see it', Icon: UserRound },
    { ...SELL, Icon: Tag },
  ];
  return (
    <SiteFrame
      header={
        <Header
          links={[
            { to: PAGE.browse(), label: 'Browse' },
            { to: PAGE.sell, label: 'Sell' },
          ]}
          connection={useConnection()}
          search={<SearchBox />}
          menus={
            <>
              <NoticesMenu />
              <AccountMenu name={user?.nickname ?? null} places={places ?? []} goodbye="Your bids stand. See you soon." />
            </>
          }
        />
      }
      footer={
        <Footer
          note="A demonstration site: every bid is a real transaction, no money changes hands."
          links={[{ to: PAGE.browse(), label: 'All auctions' }, SELL, MINE]}
        />
      }
    >
      <NoticeToasts />
    </SiteFrame>
  );
}
