from meta_lib import *
devs=sorted(os.path.basename(p)[:-7] for p in glob.glob(R+'/fixes/*.csv.gz'))
def o(dev):
    rows=list(csv.DictReader(gzip.open(f'{R}/fixes/{dev}.csv.gz','rt')))
    fe=[dict(id=f['id'],center=[f['latitude'],f['longitude']],radius=f"{f['radius']} m") for f in json.load(open(f'{R}/fences/{dev}.json'))]
    base=run(dev,'base',rows,fe)
    other=[dict(x,device='other',latitude=float(x['latitude'])+.01) for x in rows]
    m=[y for x in zip(rows,other) for y in x]; b=[e for e in run(dev,'other',m,fe) if e.get('device')!='other']
    oc=cmp(base,b)
    diff=[]
    for f in fe:
        one=run(dev,'one_'+f['id'],rows,[f])
        A=[e for e in base if e.get('fence')==f['id'] and e['type'] in('enter','exit')]; B=[e for e in one if e.get('fence')==f['id'] and e['type'] in('enter','exit')]
        for x,y in zip(A,B):
            d=ts(y['time'])-ts(x['time'])
            diff.append((abs(d),dev,f['id'],x['type'],x['time'],y['time'],x['timeUncertainty'],y['timeUncertainty']))
        if len(A)!=len(B): diff.append((1e9,dev,f['id'],len(A),len(B)))
    return dev,oc,diff
with cf.ThreadPoolExecutor(os.cpu_count()) as ex: res=list(ex.map(o,devs))
print('otherdevice',sum(r[1][1] for r in res),sum(r[1][2] for r in res),[(r[0],r[1]) for r in res if r[1][1]+r[1][2]][:3])
D=sorted([q for r in res for q in r[2]],reverse=True)
print('pairs',len(D),'>1s',sum(q[0]>1 for q in D),'>10s',sum(q[0]>10 for q in D),'>60',sum(q[0]>60 for q in D),'outings',len({q[1] for q in D if q[0]>1}),'beyond 1u',sum(q[0]>q[6] for q in D if q[0]<1e8),'>2u',sum(q[0]>2*q[6] for q in D if q[0]<1e8)); 
for q in D[:12]: print(q)
