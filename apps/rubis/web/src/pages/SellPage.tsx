import { useToast } from '@claret/ui/kit';
import { FormPage, PageForm, useForm } from '@claret/ui/site';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type * as api from '../../../server/api.ts';
import { post, queries } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { LoginWall } from '../components/LoginWall.tsx';
import { checkSale, NOTHING_YET, saleRequest, SELL_FIELDS, type Sale, type SellField } from '../components/saleFields.ts';
import { SellFields } from '../components/SellFields.tsx';
import { useSession } from '../session.ts';

export default function SellPage() {
  const { user, isKnown } = useSession();
  return (
    <>
      <title>Sell · Claret Auctions</title>
      {user ? (
        <SellForm />
      ) : (
        isKnown && (
          <LoginWall title="Log in to sell">Buyers want to know who’s selling, so you need an account. It takes half a minute.</LoginWall>
        )
      )}
    </>
  );
}

function SellForm() {
  const navigate = useNavigate();
  const toast = useToast();
  const form = useForm<SellField>(SELL_FIELDS);
  const [item, setItem] = useState<Sale>(NOTHING_YET);
  const change = (part: Partial<Sale>) => setItem({ ...item, ...part });
  const open = async () => {
    const { item_id } = await post<api.ItemOpened>(API.items, saleRequest(item));
    queries.clear();
    toast({ tone: 'good', title: 'Your auction is live', text: 'Everyone can see it and bid now.' });
    void navigate(PAGE.item(item_id));
  };
  return (
    <FormPage title="Sell something" lead="Your auction goes live right away and ends automatically. We’ll draw a picture for it." isWide>
      <PageForm form={form} action="Start the auction" check={() => checkSale(item)} send={open}>
        <SellFields item={item} errors={form.errors} change={change} />
      </PageForm>
    </FormPage>
  );
}
