import '@claret/ui/kit/styles.ts';
